// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/gguf_tokenizer.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ep::test {
namespace {

using TokenizerJson = nlohmann::json;

// Values of token_type.
constexpr int kNormal = 1;
constexpr int kUnknown = 2;
constexpr int kControl = 3;
constexpr int kUserDefined = 4;
constexpr int kUnused = 5;
constexpr int kByte = 6;

struct Token {
    std::string text;
    int type = kNormal;
};

std::map<int, Token> tokensOf(const TokenizerJson& document)
{
    const TokenizerJson& model = document.at("model");
    const bool pieces = model.value("byte_fallback", false);
    std::map<int, Token> tokens;
    for (const auto& [text, id] : model.at("vocab").items()) {
        const bool byte = pieces && text.size() == 6 && text.starts_with("<0x");
        tokens[id.get<int>()] = {text, byte ? kByte : kNormal};
    }
    for (const TokenizerJson& added : document.at("added_tokens")) {
        const auto text = added.at("content").get<std::string>();
        const bool unknown = model.value("unk_token", TokenizerJson()) == TokenizerJson(text);
        const bool special = added.at("special").get<bool>();
        tokens[added.at("id").get<int>()] = {text,
                                             unknown       ? kUnknown
                                                 : special ? kControl
                                                           : kUserDefined};
    }
    return tokens;
}

// "a b", even if the merges are stored as pairs.
std::vector<std::string> mergesOf(const TokenizerJson& model)
{
    std::vector<std::string> merges;
    for (const TokenizerJson& merge : model.at("merges")) {
        merges.push_back(merge.is_string() ? merge.get<std::string>()
                                           : merge.at(0).get<std::string>() + " "
                                 + merge.at(1).get<std::string>());
    }
    return merges;
}

// The rank of the first merge that gives each text; runs of blanks come last although their ids
// are low, as in SentencePiece's models.
std::map<std::string, float> scoresOf(const TokenizerJson& model)
{
    std::map<std::string, float> scores;
    float rank = 0.0F;
    for (std::string merge : mergesOf(model)) {
        merge.erase(merge.find(' '), 1);
        scores.emplace(merge, -(++rank));
    }
    return scores;
}

const char* preTokenizerOf(const TokenizerJson& document)
{
    const std::string division = document.at("pre_tokenizer").dump();
    if (division.find("{1,3}") != std::string::npos)
        return "llama-bpe";
    return division.find("Split") != std::string::npos ? "qwen2" : "gpt-2";
}

} // namespace

void writeTokenizer(GgufWriter& out, const std::filesystem::path& file)
{
    TokenizerJson document;
    std::ifstream(file) >> document;
    const TokenizerJson& model = document.at("model");
    const std::map<int, Token> tokens = tokensOf(document);
    std::vector<std::string> texts;
    const std::map<std::string, float> ranked = scoresOf(model);
    std::vector<float> scores;
    std::vector<std::int32_t> types;
    std::map<std::string, std::uint32_t> ids;
    for (int id = 0; id <= tokens.rbegin()->first; ++id) {
        const auto known = tokens.find(id);
        const Token token = known != tokens.end()
            ? known->second
            : Token{"[PAD" + std::to_string(id) + "]", kUnused};
        texts.push_back(token.text);
        types.push_back(token.type);
        const auto score = ranked.find(token.text);
        scores.push_back(score != ranked.end() ? score->second : 0.0F);
        ids.emplace(token.text, static_cast<std::uint32_t>(id));
        if (token.type == kUnknown)
            out.number("tokenizer.ggml.unknown_token_id", static_cast<std::uint32_t>(id));
    }
    const bool pieces = model.value("byte_fallback", false);
    out.text("tokenizer.ggml.model", pieces ? "llama" : "gpt2");
    out.texts("tokenizer.ggml.tokens", texts);
    out.numbers("tokenizer.ggml.token_type", types);
    if (pieces) {
        out.reals("tokenizer.ggml.scores", scores);
        out.flag("tokenizer.ggml.add_space_prefix",
                 document.at("normalizer").dump().find("Prepend") != std::string::npos);
    } else {
        out.texts("tokenizer.ggml.merges", mergesOf(model));
        out.text("tokenizer.ggml.pre", preTokenizerOf(document));
    }
    // The post-processor's template; the post-processor may be one of several.
    const TokenizerJson& post = document.at("post_processor");
    const TokenizerJson list = post.is_object() && post.contains("processors")
        ? post.at("processors")
        : TokenizerJson::array({post});
    bool begins = false;
    for (const TokenizerJson& one : list) {
        if (!one.is_object() || one.value("type", "") != "TemplateProcessing")
            continue;
        const TokenizerJson& first = one.at("single").at(0);
        if (!first.contains("SpecialToken"))
            continue;
        begins = true;
        out.number("tokenizer.ggml.bos_token_id",
                   ids.at(first.at("SpecialToken").at("id").get<std::string>()));
    }
    out.flag("tokenizer.ggml.add_bos_token", begins);
}

} // namespace ep::test
