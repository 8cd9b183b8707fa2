// SPDX-License-Identifier: GPL-3.0-or-later
#include "gguf_document.h"

#include "gguf_pre_tokenizers.h"
#include "vocabulary.h"

#include "ep/json/gguf.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ep::text {

namespace {

using Json = nlohmann::json;

constexpr const char* kPrefix = "tokenizer.ggml.";
constexpr const char* kSpace = "\u2581";

// Values of `token_type`.
constexpr int kNormal = 1;
constexpr int kControl = 3;
constexpr int kUserDefined = 4;
constexpr int kUnused = 5;

struct Word {
    std::string text;
    double score = 0.0;
    int type = kNormal;
};

// A merge that SentencePiece would choose for this token; the highest score comes first.
struct ScoredMerge {
    double score = 0.0;
    std::size_t left_length = 0; // in code points
    std::size_t right_length = 0;
    std::string_view left;
    std::string_view right;
};

std::size_t codePoints(std::string_view text)
{
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
}

class DocumentWriter {
public:
    explicit DocumentWriter(const json::Value& keys)
        : m_keys(keys)
    {
    }

    Json write()
    {
        const std::string model = m_keys.string(key("model"));
        readWords();
        m_out["version"] = "1.0";
        if (model == "gpt2") {
            writeMerges(preTokenizer());
        } else if (model == "gemma4" || model == "whitespace") {
            writeMerges(*findGgufPreTokenizer(model));
        } else if (model == "llama") {
            writeSentencePiece();
        } else {
            m_keys.at(key("model"))
                .unsupported(Message("is %1; known are gpt2, llama, gemma4 and whitespace. For "
                                     "others, attach to the server that runs the model",
                                     json::inQuotes(model)));
        }
        writeAdded();
        return std::move(m_out);
    }

private:
    static std::string key(const char* name) { return std::string(kPrefix) + name; }

    void readWords()
    {
        const json::Value tokens = m_keys.at(key("tokens"));
        const std::size_t count = tokens.requireArray().size();
        if (count > static_cast<std::size_t>(highestTokenId) + 1)
            tokens.fail("has too many entries");
        const auto numbers = [&](const char* name) -> std::optional<json::Value> {
            const auto list = m_keys.find(key(name));
            if (list && list->requireArray().size() != count)
                list->fail("must have one entry for each token");
            return list;
        };
        const auto scores = numbers("scores");
        const auto types = numbers("token_type");
        m_words.resize(count);
        for (std::size_t id = 0; id < count; ++id) {
            Word& word = m_words[id];
            const Json& text = tokens.json()[id];
            if (!text.is_string())
                tokens.at(id).fail("must be a string");
            word.text = text.get<std::string>();
            if (scores)
                word.score = finiteOr(numberIn(*scores, id), std::numeric_limits<float>::lowest());
            if (types) {
                const double type = numberIn(*types, id);
                word.type = type >= 0.0 && type <= kUnused + 1 ? static_cast<int>(type) : kNormal;
            }
        }
    }

    // Infinities and NaN cannot be sorted.
    static double finiteOr(double value, double other)
    {
        return std::isfinite(value) ? value : other;
    }

    static double numberIn(const json::Value& list, std::size_t index)
    {
        const Json& value = list.json()[index];
        return value.is_number() ? value.get<double>() : list.at(index).asNumber();
    }

    // Rows that only pad the embedding matrix are not tokens.
    static bool fills(const Word& word)
    {
        return word.type == kUnused && word.text.starts_with("[PAD");
    }

    // If two tokens have the same text, the first one is found.
    Json vocabulary() const
    {
        Json vocabulary = Json::object();
        for (std::size_t id = 0; id < m_words.size(); ++id) {
            if (!fills(m_words[id]) && !m_words[id].text.empty())
                vocabulary.emplace(m_words[id].text, id);
        }
        return vocabulary;
    }

    // --- gpt2 ------------------------------------------------------------------------------------

    const GgufPreTokenizer& preTokenizer() const
    {
        const std::string name = m_keys.string(key("pre"), "gpt-2");
        if (const GgufPreTokenizer* known = findGgufPreTokenizer(name))
            return *known;
        m_keys.at(key("pre"))
            .unsupported(Message("is the pre-tokenizer %1, which is not known: attach to the "
                                 "server that runs the model",
                                 json::inQuotes(name)));
    }

    void writeMerges(const GgufPreTokenizer& pre)
    {
        const json::Value merges = m_keys.at(key("merges"));
        m_out["model"] = {{"type", "BPE"},
                          {"vocab", vocabulary()},
                          {"merges", merges.requireArray().json()},
                          {"ignore_merges", pre.whole_words}};
        Json steps = Json::array();
        for (const std::string_view pattern : pre.patterns) {
            if (!pattern.empty()) {
                steps.push_back({{"type", "Split"},
                                 {"pattern", {{"Regex", pattern}}},
                                 {"behavior", "Isolated"},
                                 {"invert", false}});
            }
        }
        m_out["pre_tokenizer"] = {{"type", "Sequence"}, {"pretokenizers", steps}};
        if (pre.composes)
            m_out["normalizer"] = {{"type", "NFC"}};
        if (pre.drops_blanks)
            writeWords();
        else if (pre.raw)
            writeRawCharacters();
        else
            writeByteLevel();
        writeEnds(pre.begins);
    }

    void writeByteLevel()
    {
        const Json bytes = {
            {"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}};
        m_out["pre_tokenizer"]["pretokenizers"].push_back(bytes);
        m_out["decoder"] = bytes;
    }

    // Merges of characters within words; white space is lost.
    void writeWords()
    {
        m_out["pre_tokenizer"]["pretokenizers"].push_back({{"type", "Whitespace"}});
        if (m_keys.boolean(key("normalizer.lowercase"), false))
            m_out["normalizer"] = {{"type", "Lowercase"}};
        if (const auto unknown = textOf("unknown_token_id"))
            m_out["model"]["unk_token"] = *unknown;
    }

    // Gemma 4: merges of characters, blanks as in SentencePiece, bytes only for unknown ones.
    void writeRawCharacters()
    {
        m_out["model"]["byte_fallback"] = true;
        m_out["model"]["fuse_unk"] = true;
        if (const auto unknown = textOf("unknown_token_id"))
            m_out["model"]["unk_token"] = *unknown;
        m_out["normalizer"] = {
            {"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", kSpace}};
        m_out["decoder"] = {
            {"type", "Sequence"},
            {"decoders",
             {{{"type", "Replace"}, {"pattern", {{"String", kSpace}}}, {"content", " "}},
              {{"type", "ByteFallback"}},
              {{"type", "Fuse"}}}}};
    }

    // --- llama -----------------------------------------------------------------------------------

    void writeSentencePiece()
    {
        Json vocabularyOfModel = vocabulary();
        Json model = {{"type", "BPE"}, {"byte_fallback", true}, {"fuse_unk", true}};
        model["merges"] = merges();
        model["vocab"] = std::move(vocabularyOfModel);
        if (const auto unknown = textOf("unknown_token_id"))
            model["unk_token"] = *unknown;
        m_out["model"] = std::move(model);
        const bool prefixed = m_keys.boolean(key("add_space_prefix"), true);
        const Json spaces = {
            {"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", kSpace}};
        Json steps = Json::array();
        if (prefixed)
            steps.push_back({{"type", "Prepend"}, {"prepend", kSpace}});
        steps.push_back(spaces);
        m_out["normalizer"] = {{"type", "Sequence"}, {"normalizers", steps}};
        Json decoders =
            Json::array({{{"type", "Replace"}, {"pattern", {{"String", kSpace}}}, {"content", " "}},
                         {{"type", "ByteFallback"}},
                         {{"type", "Fuse"}}});
        if (prefixed)
            decoders.push_back({{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}});
        m_out["decoder"] = {{"type", "Sequence"}, {"decoders", decoders}};
        writeEnds(true);
    }

    // Every division of a token into two others, by decreasing score, as SentencePiece merges. For
    // one token, the longer first part comes first, as in HuggingFace's conversion.
    Json merges() const
    {
        constexpr std::size_t kLongest = 512; // bytes; merging never finds longer tokens
        std::unordered_map<std::string_view, std::size_t> ids;
        for (std::size_t id = 0; id < m_words.size(); ++id)
            ids.emplace(m_words[id].text, id);
        std::vector<ScoredMerge> found;
        for (const Word& word : m_words) {
            const std::string_view text = word.text;
            if ((word.type != kNormal && word.type != kUserDefined) || text.size() > kLongest)
                continue;
            std::vector<std::pair<std::tuple<std::size_t, std::size_t>, ScoredMerge>> own;
            for (std::size_t cut = 1; cut < text.size(); ++cut) {
                const auto left = ids.find(text.substr(0, cut));
                if (left == ids.end())
                    continue;
                const auto right = ids.find(text.substr(cut));
                if (right == ids.end())
                    continue;
                own.push_back({{left->second, right->second},
                               {.score = word.score,
                                .left_length = codePoints(left->first),
                                .right_length = codePoints(right->first),
                                .left = left->first,
                                .right = right->first}});
            }
            std::sort(own.begin(), own.end(),
                      [](const auto& a, const auto& b) { return a.first < b.first; });
            for (const auto& [order, merge] : own)
                found.push_back(merge);
        }
        std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
            return std::tie(a.score, a.left_length, a.right_length)
                > std::tie(b.score, b.left_length, b.right_length);
        });
        Json::array_t merges;
        merges.reserve(found.size());
        for (const ScoredMerge& merge : found)
            merges.push_back(Json::array({merge.left, merge.right}));
        return merges;
    }

    // --- Both ------------------------------------------------------------------------------------

    std::optional<std::string> textOf(const char* name) const
    {
        if (!m_keys.has(key(name)))
            return std::nullopt;
        const json::Value value = m_keys.at(key(name));
        if (json::isNoToken(value.json()))
            return std::nullopt;
        // A file may name a token beyond its vocabulary, which counts as no token.
        const auto id = static_cast<std::size_t>(value.asInteger(0, highestTokenId));
        return id < m_words.size() ? std::optional(m_words[id].text) : std::nullopt;
    }

    // Writes the tokens around a text.
    void writeEnds(bool begins)
    {
        const auto first = textOf("bos_token_id");
        const auto last = textOf("eos_token_id");
        Json parts = Json::array();
        Json tokens = Json::object();
        const auto add = [&](const std::string& text) {
            parts.push_back({{"SpecialToken", {{"id", text}, {"type_id", 0}}}});
            const auto id = std::find_if(m_words.begin(), m_words.end(),
                                         [&](const Word& word) { return word.text == text; });
            tokens[text] = {{"id", text}, {"ids", {id - m_words.begin()}}, {"tokens", {text}}};
        };
        if (first && m_keys.boolean(key("add_bos_token"), begins))
            add(*first);
        parts.push_back({{"Sequence", {{"id", "A"}, {"type_id", 0}}}});
        if (last && m_keys.boolean(key("add_eos_token"), false))
            add(*last);
        m_out["post_processor"] = {
            {"type", "TemplateProcessing"}, {"single", parts}, {"special_tokens", tokens}};
    }

    // Phi 3 drops blanks after all of its special tokens except these, which no key states.
    bool dropsBlanks(const Word& word) const
    {
        const bool phi3 = m_keys.string("general.architecture", "") == "phi3";
        return phi3 && word.text != "<unk>" && word.text != "<s>" && word.text != "<|endoftext|>";
    }

    void writeAdded()
    {
        Json added = Json::array();
        for (std::size_t id = 0; id < m_words.size(); ++id) {
            const Word& word = m_words[id];
            const bool unknown =
                m_keys.has(key("unknown_token_id")) && textOf("unknown_token_id") == word.text;
            if (word.type != kControl && word.type != kUserDefined && !unknown)
                continue;
            added.push_back({{"id", id},
                             {"content", word.text},
                             {"special", word.type != kUserDefined},
                             {"normalized", false},
                             {"lstrip", false},
                             {"rstrip", dropsBlanks(word)},
                             {"single_word", false}});
        }
        m_out["added_tokens"] = std::move(added);
    }

    const json::Value& m_keys;
    std::vector<Word> m_words;
    Json m_out = Json::object();
};

} // namespace

nlohmann::json tokenizerOfGguf(const json::Value& metadata)
{
    return DocumentWriter(metadata).write();
}

} // namespace ep::text
