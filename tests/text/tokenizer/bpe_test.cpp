// SPDX-License-Identifier: GPL-3.0-or-later
#include "fixtures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ep::text::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Tokens = std::vector<std::string>;

constexpr const char* letters = R"("a": 0, "b": 1, "c": 2, "ab": 3, "bc": 4, "abc": 5, "aa": 6)";

std::string bpe(const std::string& vocabulary, const std::string& merges,
                const std::string& more = "")
{
    return R"({"type": "BPE", "vocab": {)" + vocabulary + R"(}, "merges": [)" + merges + "]" + more
        + "}";
}

TEST(Bpe, MergesTheLowestRankFirst)
{
    struct Case {
        std::string merges;
        std::string text;
        Tokens tokens;
    };
    const std::vector<Case> cases = {
        {R"("a b", "b c", "ab c")", "abc", {"abc"}},
        {R"("b c", "a b", "ab c")", "abc", {"a", "bc"}},
        {R"("b c", "a b", "ab c", "a bc")", "abc", {"abc"}},
        {R"("a b", "b c", "ab c")", "aabcc", {"a", "abc", "c"}},
        {R"("a a")", "aaaaa", {"aa", "aa", "a"}}, // the leftmost of equal ranks first
        {"", "abc", {"a", "b", "c"}},
    };
    for (const Case& example : cases) {
        SCOPED_TRACE(example.merges + " on " + example.text);
        const auto tokenizer = makeTokenizer({.model = bpe(letters, example.merges)});
        ASSERT_TRUE(tokenizer);
        EXPECT_EQ(tokensOf(*tokenizer, example.text), example.tokens);
    }
}

TEST(Bpe, AcceptsMergesAsPairsAndASkippedVersionLine)
{
    const auto pairs = makeTokenizer({.model = bpe(letters, R"(["a", "b"], ["ab", "c"])")});
    const auto lines = makeTokenizer({.model = bpe(letters, R"("#version: 0.2", "a b", "ab c")")});
    ASSERT_TRUE(pairs && lines);
    EXPECT_THAT(tokensOf(*pairs, "abcab"), ElementsAre("abc", "ab"));
    EXPECT_EQ(tokensOf(*lines, "abcab"), tokensOf(*pairs, "abcab"));
}

TEST(Bpe, IgnoreMergesTakesAWholeWordFromTheVocabulary)
{
    const auto merging = makeTokenizer({.model = bpe(letters, "")});
    const auto ignoring = makeTokenizer({.model = bpe(letters, "", R"(, "ignore_merges": true)")});
    ASSERT_TRUE(merging && ignoring);
    EXPECT_THAT(tokensOf(*merging, "abc"), ElementsAre("a", "b", "c"));
    EXPECT_THAT(tokensOf(*ignoring, "abc"), ElementsAre("abc"));
    EXPECT_THAT(tokensOf(*ignoring, "abca"), ElementsAre("a", "b", "c", "a"));
}

TEST(Bpe, UnknownCharacters)
{
    struct Case {
        std::string settings;
        std::string text;
        Tokens tokens;
    };
    const std::string bytes = R"(, "byte_fallback": true)";
    const std::vector<Case> cases = {
        {"", "aZb", {"a", "b"}}, // without unk_token, unknown characters are dropped
        {R"(, "unk_token": "?")", "aZZb", {"a", "?", "?", "b"}},
        {R"(, "unk_token": "?", "fuse_unk": true)", "ZaZZbZ", {"?", "a", "?", "b", "?"}},
        {bytes, "a\xc3\xa9", {"a", "<0xC3>", "<0xA9>"}},
        {bytes + R"(, "unk_token": "?")", "a\xc3\xaa", {"a", "?"}}, // not all bytes have a token
        // An unknown character waits in case more of them follow, so bytes come before it.
        {bytes + R"(, "unk_token": "?")", "Z\xc3\xa9", {"<0xC3>", "<0xA9>", "?"}},
        {bytes + R"(, "unk_token": "?", "fuse_unk": true)",
         "Z\xc3\xa9Zb",
         {"<0xC3>", "<0xA9>", "?", "b"}},
    };
    const std::string vocabulary = R"("?": 0, "a": 1, "b": 2, "<0xC3>": 3, "<0xA9>": 4)";
    for (const Case& example : cases) {
        SCOPED_TRACE(example.settings + " on " + example.text);
        const auto tokenizer = makeTokenizer({.model = bpe(vocabulary, "", example.settings)});
        ASSERT_TRUE(tokenizer);
        EXPECT_EQ(tokensOf(*tokenizer, example.text), example.tokens);
    }
}

TEST(Bpe, AMissingUnknownTokenIsAnErrorOnlyWhenNeeded)
{
    const auto tokenizer = makeTokenizer({.model = bpe(letters, "", R"(, "unk_token": "nope")")});
    ASSERT_TRUE(tokenizer);
    EXPECT_THAT(tokensOf(*tokenizer, "ab"), ElementsAre("a", "b"));
    const auto failed = tokenizer->tryEncode("aZ");
    ASSERT_FALSE(failed);
    EXPECT_THAT(failed.error().message, HasSubstr("\"Z\""));
    EXPECT_THAT(failed.error().message, HasSubstr("\"nope\""));
    EXPECT_TRUE(tokenizer->encode("aZ").empty());
}

TEST(Bpe, PrefixesOfSubwordsAndSuffixesOfWords)
{
    const auto prefixed = makeTokenizer(
        {.model = bpe(R"("a": 0, "##b": 1, "##c": 2, "ab": 3, "abc": 4)", R"("a ##b", "ab ##c")",
                      R"(, "continuing_subword_prefix": "##")")});
    const auto suffixed =
        makeTokenizer({.model = bpe(R"("a": 0, "b</w>": 1, "b": 2, "ab</w>": 3)", R"("a b</w>")",
                                    R"(, "end_of_word_suffix": "</w>")")});
    ASSERT_TRUE(prefixed && suffixed);
    EXPECT_THAT(tokensOf(*prefixed, "abc"), ElementsAre("abc"));
    EXPECT_THAT(tokensOf(*prefixed, "acb"), ElementsAre("a", "##c", "##b"));
    EXPECT_THAT(tokensOf(*suffixed, "ab"), ElementsAre("ab</w>"));
    EXPECT_THAT(tokensOf(*suffixed, "bab"), ElementsAre("b", "ab</w>"));
}

TEST(Bpe, AModelWithoutTypeIsRecognisedByItsFields)
{
    const auto tokenizer =
        makeTokenizer({.model = std::string(R"({"vocab": {)") + letters + R"(}, "merges": []})"});
    ASSERT_TRUE(tokenizer);
    EXPECT_THAT(tokensOf(*tokenizer, "ab"), ElementsAre("a", "b"));
}

TEST(Bpe, AVeryLongWordIsMerged)
{
    const auto tokenizer = makeTokenizer({.model = bpe(letters, R"("a b", "ab c")")});
    ASSERT_TRUE(tokenizer);
    std::string text;
    constexpr std::size_t repeats = 100'000;
    for (std::size_t i = 0; i < repeats; ++i)
        text += "abc";
    EXPECT_EQ(tokenizer->encode(text), std::vector<TokenId>(repeats, 5));
}

TEST(Bpe, InvalidUtf8IsReplacedFirst)
{
    const auto tokenizer =
        makeTokenizer({.model = bpe(R"("a": 0, "\ufffd": 1)", "", R"(, "unk_token": "a")")});
    ASSERT_TRUE(tokenizer);
    EXPECT_EQ(tokenizer->encode("a\xff\xe2\x82z"), (std::vector<TokenId>{0, 1, 1, 0}));
}

TEST(Bpe, KnowsItsVocabulary)
{
    const auto tokenizer = makeTokenizer({.model = bpe(R"("a": 0, "b": 7)", "")});
    ASSERT_TRUE(tokenizer);
    EXPECT_EQ(tokenizer->vocabularySize(), 2U);
    EXPECT_EQ(tokenizer->tokenString(7), "b");
    for (const TokenId unknown : {-1, 1, 8, 1'000'000'000})
        EXPECT_EQ(tokenizer->tokenString(unknown), "") << unknown;
    EXPECT_EQ(tokenizer->decode(std::vector<TokenId>{7, 3, -5, 0}), "b a"); // no decoder: spaces
}

} // namespace
} // namespace ep::text::test
