// SPDX-License-Identifier: GPL-3.0-or-later
#include "fixtures.h"

#include <gtest/gtest.h>

namespace ep::text::test {
namespace {

using Tokens = std::vector<std::string>;

const std::string model = R"({"type": "BPE", "unk_token": "?", "fuse_unk": true, "merges": [],
    "vocab": {"?": 0, "a": 1, "b": 2, " ": 3, "_": 4, "B": 5}})";

std::string added(TokenId id, const std::string& content, const std::string& more = "")
{
    return R"({"id": )" + std::to_string(id) + R"(, "content": ")" + content
        + R"(", "normalized": )" + (more.find("normalized") == std::string::npos ? "false" : "true")
        + (more.empty() || more == "normalized" ? "" : ", \"" + more + "\": true") + "}";
}

struct TextWithTokens {
    std::string tokens; // the list without its brackets
    std::string text;
    Tokens expected;
};

void checkTokens(const std::vector<TextWithTokens>& cases, const std::string& normalizer = "")
{
    for (const TextWithTokens& example : cases) {
        SCOPED_TRACE(example.tokens + " on " + example.text);
        const auto tokenizer = makeTokenizer(
            {.model = model, .normalizer = normalizer, .addedTokens = "[" + example.tokens + "]"});
        ASSERT_TRUE(tokenizer);
        EXPECT_EQ(tokensOf(*tokenizer, example.text), example.expected);
    }
}

TEST(AddedTokens, AreFoundBeforeTheModelSeesTheText)
{
    checkTokens({
        {added(6, "<m>"), "a<m>b<m>", {"a", "<m>", "b", "<m>"}},
        {added(6, "<m>") + "," + added(7, "<m><m>"), "<m><m><m>", {"<m><m>", "<m>"}}, // longest
        {added(6, "ab") + "," + added(7, "bab"), "abab", {"ab", "ab"}}, // leftmost match
        {added(6, "<m>", "lstrip"), "a  <m> b", {"a", "<m>", " ", "b"}},
        {added(6, "<m>", "rstrip"), "a <m> \n b", {"a", " ", "<m>", "b"}},
        {added(6, "ab", "single_word"),
         "ab aab ab_ ab",
         {"ab", " ", "a", "a", "b", " ", "a", "b", "_", " ", "ab"}},
        {added(1, "a"), "ba", {"b", "a"}}, // a token that the model has as well
        {added(6, "<m>"), "", {}},
    });
}

TEST(AddedTokens, NormalizedOnesAreFoundInTheNormalizedText)
{
    const std::string lowercase = R"({"type": "Lowercase"})";
    checkTokens(
        {
            {added(6, "AB"), "ab AB", {"a", "b", " ", "AB"}},
            {added(6, "AB", "normalized"), "ab aB", {"AB", " ", "AB"}},
            // Tokens that are not normalized are searched for first.
            {added(6, "abA", "normalized") + "," + added(7, "ab"), "aba", {"ab", "a"}},
        },
        lowercase);
    // A prefix that the normalizer puts in front of texts is put in front of the token, too.
    checkTokens({{added(6, "ab", "normalized"), "abab", {"ab", "a", "b"}}},
                R"({"type": "Prepend", "prepend": "_"})");
}

TEST(AddedTokens, FollowTheVocabularyWhateverIdTheyClaim)
{
    const auto tokenizer = makeTokenizer(
        {.model = model, .addedTokens = "[" + added(90, "x") + "," + added(91, "y") + "]"});
    ASSERT_TRUE(tokenizer);
    EXPECT_EQ(tokenizer->encode("xy"), (std::vector<TokenId>{6, 7}));
    EXPECT_EQ(tokenizer->vocabularySize(), 8U);
}

TEST(AddedTokens, SpecialOnesAreSkippedInDecoding)
{
    const auto tokenizer = makeTokenizer(
        {.model = model,
         .addedTokens =
             R"([{"id": 6, "content": "<s>", "special": true}, {"id": 7, "content": "x"}])"});
    ASSERT_TRUE(tokenizer);
    const std::vector<TokenId> ids = {6, 1, 7};
    EXPECT_EQ(tokenizer->decode(ids, true), "a x");
    EXPECT_EQ(tokenizer->decode(ids, false), "<s> a x");
    EXPECT_TRUE(tokenizer->isSpecial(6));
    for (const TokenId id : {7, 1, 99, -1})
        EXPECT_FALSE(tokenizer->isSpecial(id)) << id;
}

TEST(AddedTokens, OnlyTheBeginningOfTheTextGetsAFirstPrefix)
{
    const auto tokenizer = makeTokenizer(
        {.model = R"({"type": "BPE", "merges": [], "vocab": {"a": 0, "▁": 1}})",
         .preTokenizer = R"({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first"})",
         .addedTokens = R"([{"id": 2, "content": "<m>", "special": true}])"});
    ASSERT_TRUE(tokenizer);
    EXPECT_EQ(tokensOf(*tokenizer, "a<m>a"), (Tokens{"▁", "a", "<m>", "a"}));
    EXPECT_EQ(tokensOf(*tokenizer, "<m>a"), (Tokens{"<m>", "a"}));
}

} // namespace
} // namespace ep::text::test
