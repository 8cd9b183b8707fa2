// SPDX-License-Identifier: GPL-3.0-or-later
// Ids and texts from HuggingFace's own implementation, for every tokenizer in the reference
// folder: each result must be identical.
#include "support/folders.h"
#include "support/gguf_tokenizer.h"
#include "support/temp_folder.h"

#include "ep/core/utf8.h"
#include "ep/text/tokenizer.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

namespace ep::text {
namespace {

using nlohmann::json;

std::vector<std::string> foldersIn(const std::string& parent)
{
    std::vector<std::string> folders;
    for (const auto& entry : std::filesystem::directory_iterator(parent)) {
        if (std::filesystem::exists(entry.path() / "tokenizer.json")
            && std::filesystem::exists(entry.path() / "golden.json"))
            folders.push_back(entry.path().string());
    }
    std::sort(folders.begin(), folders.end());
    return folders;
}

// The tokenizers of the same folders, converted to their form in GGUF files.
constexpr std::string_view kAsGguf = "|gguf";

std::vector<std::string> asGguf(std::vector<std::string> folders)
{
    for (std::string& folder : folders)
        folder += kAsGguf;
    return folders;
}

std::string folderOf(const std::string& parameter)
{
    return parameter.substr(0, parameter.find(kAsGguf));
}

Result<std::shared_ptr<const Tokenizer>> loadAsGguf(const std::filesystem::path& folder)
{
    test::GgufWriter writer;
    // Only this class name in the file says that blanks after special tokens are dropped.
    std::ifstream stream(folder / "tokenizer.json");
    const json document = json::parse(stream);
    for (const json& added : document.at("added_tokens")) {
        if (added.at("rstrip").get<bool>()) {
            writer.text("general.architecture", "phi3");
            break;
        }
    }
    test::writeTokenizer(writer, folder / "tokenizer.json");
    const test::TempFolder scratch;
    writer.write(scratch / "tokenizer.gguf");
    return Tokenizer::load(scratch / "tokenizer.gguf");
}

std::string nameOf(const testing::TestParamInfo<std::string>& info)
{
    std::string name = std::filesystem::path(folderOf(info.param)).filename().string();
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }, '_');
    return name;
}

// The reference shows an added token with the space that it stripped; we show it as stored.
std::string storedToken(const std::string& token)
{
    const std::size_t close = token.rfind("|>");
    const bool stripped = token.rfind("<|", 0) == 0 && close != std::string::npos
        && token.find_first_not_of(" \t\n", close + 2) == std::string::npos;
    return stripped ? token.substr(0, close + 2) : token;
}

// Loads each folder only once, since loading takes longer than everything else.
Result<std::shared_ptr<const Tokenizer>> loadOnce(const std::string& folder)
{
    static std::map<std::string, Result<std::shared_ptr<const Tokenizer>>> loaded;
    const auto known = loaded.find(folder);
    return known != loaded.end()
        ? known->second
        : loaded
              .emplace(folder,
                       folder.ends_with(kAsGguf) ? loadAsGguf(folderOf(folder))
                                                 : Tokenizer::load(folder))
              .first->second;
}

class Reference : public testing::TestWithParam<std::string> {
protected:
    void SetUp() override
    {
        const std::filesystem::path folder = folderOf(GetParam());
        std::ifstream(folder / "golden.json") >> golden;
        auto loaded = loadOnce(GetParam());
        ASSERT_TRUE(loaded) << loaded.error().message;
        tokenizer = *loaded;
    }

    std::vector<std::string> streamed(const std::vector<TokenId>& ids, bool skipSpecial) const
    {
        StreamDecoder decoder(tokenizer, skipSpecial);
        std::vector<std::string> parts;
        for (const TokenId id : ids)
            parts.push_back(decoder.push(id));
        parts.push_back(decoder.flush());
        return parts;
    }

    // Streaming must give whole characters only, which together equal the output of decode().
    void expectSameWhenStreamed(const std::vector<TokenId>& ids) const
    {
        for (const bool skipSpecial : {false, true}) {
            std::string all;
            for (const std::string& part : streamed(ids, skipSpecial)) {
                EXPECT_TRUE(isValidUtf8(part));
                all += part;
            }
            EXPECT_EQ(all, tokenizer->decode(ids, skipSpecial));
        }
    }

    json golden;
    std::shared_ptr<const Tokenizer> tokenizer;
};

using TokenizerReference = Reference;
using ModelReference = Reference;

TEST_P(TokenizerReference, CountsTheVocabulary)
{
    EXPECT_EQ(tokenizer->vocabularySize(), golden.at("vocab_size_with_added").get<std::size_t>());
}

TEST_P(TokenizerReference, EncodesAndDecodesEveryCase)
{
    for (const json& example : golden.at("cases")) {
        const auto text = example.at("text").get<std::string>();
        SCOPED_TRACE(example.at("text").dump());
        const auto ids = example.at("ids").get<std::vector<TokenId>>();
        const auto idsNoSpecial = example.at("ids_no_special").get<std::vector<TokenId>>();
        EXPECT_EQ(tokenizer->encode(text), ids);
        EXPECT_EQ(tokenizer->encode(text, false), idsNoSpecial);
        if (example.contains("tokens_no_special")) {
            const auto tokens = example.at("tokens_no_special").get<std::vector<std::string>>();
            ASSERT_EQ(tokens.size(), idsNoSpecial.size());
            for (std::size_t i = 0; i < tokens.size(); ++i)
                EXPECT_EQ(tokenizer->tokenString(idsNoSpecial[i]), storedToken(tokens[i]));
        }
        EXPECT_EQ(tokenizer->decode(ids, false), example.at("decoded").get<std::string>());
        EXPECT_EQ(tokenizer->decode(ids, true),
                  example.at("decoded_skip_special").get<std::string>());
        EXPECT_EQ(tokenizer->decode(idsNoSpecial, false),
                  example.at("decoded_no_special").get<std::string>());
        expectSameWhenStreamed(ids);
    }
}

TEST_P(TokenizerReference, DecodesArbitraryIds)
{
    for (const json& example : golden.at("decode_ids")) {
        SCOPED_TRACE(example.at("ids").dump());
        const auto ids = example.at("ids").get<std::vector<TokenId>>();
        EXPECT_EQ(tokenizer->decode(ids, false), example.at("text").get<std::string>());
        EXPECT_EQ(tokenizer->decode(ids, true), example.at("text_skip_special").get<std::string>());
        expectSameWhenStreamed(ids);
    }
}

TEST_P(TokenizerReference, DecodesEveryPrefix)
{
    for (const json& example : golden.at("prefix_decoding")) {
        SCOPED_TRACE(example.at("text").dump());
        const auto ids = example.at("ids").get<std::vector<TokenId>>();
        const auto prefixes = example.at("decoded_prefixes").get<std::vector<std::string>>();
        ASSERT_EQ(prefixes.size(), ids.size());
        for (std::size_t i = 0; i < ids.size(); ++i)
            EXPECT_EQ(tokenizer->decode(std::span(ids).first(i + 1), true), prefixes[i]) << i;
        expectSameWhenStreamed(ids);
    }
}

TEST_P(ModelReference, EncodesAndDecodesTheTextCases)
{
    ASSERT_FALSE(golden.at("text_cases").empty());
    for (const json& example : golden.at("text_cases")) {
        const auto text = example.at("text").get<std::string>();
        auto ids = example.at("ids").get<std::vector<TokenId>>();
        const auto added = example.at("new_ids").get<std::vector<TokenId>>();
        EXPECT_EQ(tokenizer->encode(text), ids) << text;
        EXPECT_EQ(tokenizer->decode(ids), example.at("decoded_prompt").get<std::string>());
        EXPECT_EQ(tokenizer->decode(added), example.at("decoded_new").get<std::string>());
        ids.insert(ids.end(), added.begin(), added.end());
        EXPECT_EQ(tokenizer->decode(ids), example.at("decoded_all").get<std::string>());
    }
}

INSTANTIATE_TEST_SUITE_P(Tokenizers, TokenizerReference,
                         testing::ValuesIn(foldersIn(ep::test::referencePath("tokenizers"))),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(Models, ModelReference,
                         testing::ValuesIn(foldersIn(ep::test::referencePath())), nameOf);
INSTANTIATE_TEST_SUITE_P(
    GgufTokenizers, TokenizerReference,
    testing::ValuesIn(asGguf(foldersIn(ep::test::referencePath("tokenizers")))), nameOf);
INSTANTIATE_TEST_SUITE_P(GgufModels, ModelReference,
                         testing::ValuesIn(asGguf(foldersIn(ep::test::referencePath()))), nameOf);

} // namespace
} // namespace ep::text
