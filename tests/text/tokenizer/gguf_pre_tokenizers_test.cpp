// SPDX-License-Identifier: GPL-3.0-or-later
#include "byte_level.h"
#include "gguf_document.h"
#include "pre_tokenizer.h"
#include "support/folders.h"
#include "unicode.h"

#include "ep/text/tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

// tests/data/tokenizers/pre_tokenizers.json: results of HuggingFace's library with the rules in
// the tokenizer.json of one model of each kind (make_pre_goldens.py).
namespace ep::text::test {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

const Json& goldens()
{
    static const Json json = [] {
        std::ifstream file(ep::test::dataPath("tokenizers/pre_tokenizers.json"));
        return Json::parse(file);
    }();
    return json;
}

Words partsOf(const Json& definition, const std::string& text)
{
    Pieces pieces(text);
    const Status status = readPreTokenizer(json::Value(definition))->apply(pieces);
    if (!status)
        return {"error: " + status.error().message.english()};
    Words words;
    for (const Piece& piece : pieces.list)
        words.emplace_back(piece.text);
    return words;
}

// A tokenizer.json as made from a GGUF file with a pre-tokenizer of this name.
Json documentOf(const std::string& name)
{
    const Json metadata{{"tokenizer.ggml.model", "gpt2"},
                        {"tokenizer.ggml.pre", name},
                        {"tokenizer.ggml.tokens", {"a", "b", "ab"}},
                        {"tokenizer.ggml.merges", {"a b"}}};
    return tokenizerOfGguf(metadata);
}

// Cuts a text after each of these numbers of characters; in the byte alphabet.
Words cut(const std::string& text, const Json& ends)
{
    Words words;
    std::size_t at = 0;
    int count = 0;
    for (const Json& end : ends) {
        const std::size_t begin = at;
        for (; count < end.get<int>(); ++count)
            at += firstCodePoint(std::string_view(text).substr(at)).length;
        std::string word;
        appendByteLevel(word, std::string_view(text).substr(begin, at - begin));
        words.push_back(word);
    }
    return words;
}

TEST(GgufPreTokenizers, EveryNameDividesAsTheTokenizerOfSuchAModel)
{
    const Json& texts = goldens().at("texts");
    int names = 0;
    for (const auto& [all, rows] : goldens().at("rules").items()) {
        std::istringstream list(all);
        for (std::string name; list >> name; ++names) {
            ASSERT_TRUE(findGgufPreTokenizer(name)) << name;
            const Json document = documentOf(name);
            for (std::size_t i = 0; i < texts.size(); ++i) {
                const std::string text = texts[i];
                EXPECT_EQ(partsOf(document.at("pre_tokenizer"), text), cut(text, rows[i]))
                    << name << " on " << texts[i];
            }
        }
    }
    EXPECT_GE(names, 87);
}

TEST(GgufPreTokenizers, NamesOfRawCharactersGiveTheIdsOfTheLibrary)
{
    const Json& texts = goldens().at("texts");
    const Json& raw = goldens().at("raw");
    int names = 0;
    for (const auto& [all, rows] : raw.at("ids").items()) {
        std::istringstream list(all);
        for (std::string name; list >> name; ++names) {
            const Json metadata{
                {"tokenizer.ggml.model", name == "whitespace" ? "whitespace" : "gpt2"},
                {"tokenizer.ggml.pre", name},
                {"tokenizer.ggml.unknown_token_id", 0},
                {"tokenizer.ggml.add_bos_token", false},
                {"tokenizer.ggml.tokens", raw.at("tokens")},
                {"tokenizer.ggml.merges", raw.at("merges")}};
            const auto tokenizer = Tokenizer::fromJson(tokenizerOfGguf(metadata).dump());
            ASSERT_TRUE(tokenizer) << name << ": " << tokenizer.error().message;
            for (std::size_t i = 0; i < texts.size(); ++i) {
                const auto ids = (*tokenizer)->encode(texts[i].get<std::string>());
                EXPECT_EQ(ids, rows[i].get<std::vector<TokenId>>()) << name << " on " << texts[i];
            }
        }
    }
    EXPECT_EQ(names, 4);
}

TEST(GgufPreTokenizers, OtherDefinitionsDivideAsTheLibrary)
{
    const Json& texts = goldens().at("texts");
    for (const Json& row : goldens().at("definitions")) {
        for (std::size_t i = 0; i < texts.size(); ++i)
            EXPECT_EQ(partsOf(row.at("definition"), texts[i]), row.at("parts")[i].get<Words>())
                << row.at("definition") << " on " << texts[i];
    }
}

TEST(GgufPreTokenizers, NamesThatAreNotKnown)
{
    EXPECT_FALSE(findGgufPreTokenizer(""));
    EXPECT_FALSE(findGgufPreTokenizer("spiral"));
    try {
        documentOf("spiral");
        FAIL();
    } catch (const json::ReadError& problem) {
        EXPECT_EQ(problem.code(), ErrorCode::Unsupported);
        EXPECT_THAT(problem.what(),
                    testing::HasSubstr("is the pre-tokenizer \"spiral\", which is"));
    }
}

// An id of -1 (4294967295 in the file) means that there is no such token.
TEST(GgufPreTokenizers, AnIdOfMinusOneIsNone)
{
    Json metadata{{"tokenizer.ggml.model", "llama"},
                  {"tokenizer.ggml.tokens", {"<s>", "a"}},
                  {"tokenizer.ggml.scores", {0.0, std::nan("")}},
                  {"tokenizer.ggml.add_bos_token", true},
                  {"tokenizer.ggml.bos_token_id", 4294967295U},
                  {"tokenizer.ggml.unknown_token_id", -1}};
    const Json document = tokenizerOfGguf(metadata);
    EXPECT_EQ(document.at("post_processor").at("single").size(), 1U);
    EXPECT_FALSE(document.at("model").contains("unk_token"));
}

} // namespace
} // namespace ep::text::test
