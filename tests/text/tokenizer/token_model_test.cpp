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

constexpr const char* kUnigramPieces =
    R"(["<unk>", 0.0], ["a", 0.0], ["b", 0.0], ["c", 0.0], ["d", 0.0],
    ["cd", 1.0], ["ab", 2.0], ["abc", 5.0], ["abcd", 10.0])";

std::string unigram(const std::string& vocabulary, const std::string& more)
{
    return R"({"type": "Unigram", "vocab": [)" + vocabulary + "]" + more + "}";
}

TEST(Unigram, FindsThePathOfTheHighestScore)
{
    struct Case {
        std::string text;
        Tokens tokens;
    };
    const std::vector<Case> cases = {
        {"abcdacd", {"abcd", "a", "cd"}},
        {"abcab", {"abc", "ab"}},
        {"dcba", {"d", "c", "b", "a"}},
        {"abcdxxab", {"abcd", "<unk>", "ab"}}, // consecutive unknown characters are one token
        {"xaxx", {"<unk>", "a", "<unk>"}},
        {"", {}},
    };
    const auto tokenizer = makeTokenizer({.model = unigram(kUnigramPieces, R"(, "unk_id": 0)")});
    ASSERT_TRUE(tokenizer);
    for (const Case& example : cases)
        EXPECT_EQ(tokensOf(*tokenizer, example.text), example.tokens) << example.text;
}

TEST(Unigram, EqualScoresPreferTheLongerFirstPiece)
{
    const auto tokenizer =
        makeTokenizer({.model = unigram(R"(["<unk>", 0], ["a", -1], ["b", -1], ["ab", -2])",
                                        R"(, "unk_id": 0)")});
    ASSERT_TRUE(tokenizer);
    EXPECT_EQ(tokensOf(*tokenizer, "ab"), (Tokens{"ab"}));
}

TEST(Unigram, BytesStandForUnknownCharacters)
{
    const std::string vocabulary =
        R"(["<unk>", 0], ["a", -1], ["<0xC3>", -5], ["<0xA9>", -5], ["\u00e8", -3])";
    const auto tokenizer =
        makeTokenizer({.model = unigram(vocabulary, R"(, "unk_id": 0, "byte_fallback": true)")});
    ASSERT_TRUE(tokenizer);
    EXPECT_EQ(tokensOf(*tokenizer, "a\xc3\xa9\xc3\xa8"), (Tokens{"a", "<0xC3>", "<0xA9>", "è"}));
    EXPECT_EQ(tokensOf(*tokenizer, "\xc3\xaa"), (Tokens{"<unk>"}));
}

TEST(Unigram, WithoutUnknownTokenAnUnknownCharacterIsAnError)
{
    const auto tokenizer = makeTokenizer({.model = unigram(kUnigramPieces, R"(, "unk_id": null)")});
    ASSERT_TRUE(tokenizer);
    EXPECT_EQ(tokensOf(*tokenizer, "abcd"), (Tokens{"abcd"}));
    const auto failed = tokenizer->tryEncode("abx");
    ASSERT_FALSE(failed);
    EXPECT_THAT(failed.error().message, HasSubstr("\"x\""));
}

// The rules of the fixture: the ligature fi to "fi", a soft hyphen to nothing, e with an acute
// accent to one character, a to b; "ab" has a rule that the shorter one for "a" hides.
TEST(Unigram, AppliesCompiledNormalisationRules)
{
    struct Case {
        std::string text;
        Tokens tokens;
    };
    const std::vector<Case> cases = {
        {"\ufb01x", {"▁", "fi", "x"}},
        {"a\u00adi", {"▁b", "i"}},
        {"e\u0301", {"▁", "é"}},
        {"ab  x", {"▁b", "b", "▁", "x"}},
        // The rule for its beginning replaces a whole short character, but not a longer one.
        {"e\u0301\u0301", {"▁", "é"}},
        {"e\u0301\u0301\u0301", {"▁", "<unk>"}},
    };
    const auto tokenizer = loadFixture("precompiled");
    ASSERT_TRUE(tokenizer);
    for (const Case& example : cases)
        EXPECT_EQ(tokensOf(*tokenizer, example.text), example.tokens) << example.text;
    EXPECT_EQ(tokenizer->decode(tokenizer->encode("\ufb01 x")), "fi x");
}

std::string wordPieceModel(const std::string& vocabulary, const std::string& more = {})
{
    return R"({"type": "WordPiece", "vocab": )" + vocabulary + more + "}";
}

constexpr const char* kWordPieces =
    R"({"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "un": 3, "##aff": 4, "##able": 5, "##a": 6, "u": 7, "é": 8,
        "##é": 9, "!": 10, "[": 11, "]": 12})";

TEST(WordPiece, TakesTheLongestTokenFirst)
{
    const auto tokenizer = makeTokenizer(
        {.model = wordPieceModel(kWordPieces), .preTokenizer = R"({"type": "BertPreTokenizer"})"});
    ASSERT_TRUE(tokenizer);
    EXPECT_EQ(tokensOf(*tokenizer, "unaffable!"), (Tokens{"un", "##aff", "##able", "!"}));
    EXPECT_EQ(tokensOf(*tokenizer, "una u"), (Tokens{"un", "##a", "u"}));
    EXPECT_EQ(tokensOf(*tokenizer, "éé"), (Tokens{"é", "##é"}));
    // A word that cannot be split completely is unknown as a whole.
    EXPECT_EQ(tokensOf(*tokenizer, "unx un"), (Tokens{"[UNK]", "un"}));
    EXPECT_EQ(tokensOf(*tokenizer, ""), Tokens());
}

TEST(WordPiece, LongWordsAreUnknown)
{
    const auto tokenizer =
        makeTokenizer({.model = wordPieceModel(kWordPieces, R"(, "max_input_chars_per_word": 2)")});
    ASSERT_TRUE(tokenizer);
    EXPECT_EQ(tokensOf(*tokenizer, "éé"), (Tokens{"é", "##é"}));
    EXPECT_EQ(tokensOf(*tokenizer, "una"), Tokens{"[UNK]"});
}

TEST(WordPiece, NeedsItsUnknownToken)
{
    const auto tokenizer = makeTokenizer({.model = wordPieceModel(R"({"a": 0})")});
    ASSERT_TRUE(tokenizer);
    EXPECT_THAT(tokensOf(*tokenizer, "b"),
                ElementsAre(HasSubstr("its unk_token \"[UNK]\" is not in model.vocab")));
}

TEST(WordLevel, AWordIsATokenOrUnknown)
{
    const auto tokenizer = makeTokenizer(
        {.model = R"({"type": "WordLevel", "vocab": {"<unk>": 0, "un": 1, "una": 2}})",
         .preTokenizer = R"({"type": "WhitespaceSplit"})"});
    ASSERT_TRUE(tokenizer);
    EXPECT_EQ(tokensOf(*tokenizer, "una unaf un"), (Tokens{"una", "<unk>", "un"}));

    const auto without =
        makeTokenizer({.model = R"({"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "?"})"});
    ASSERT_TRUE(without);
    EXPECT_THAT(tokensOf(*without, "b"),
                ElementsAre(HasSubstr("its unk_token \"?\" is not in model.vocab")));
}

TEST(WordPiece, ComesWithTheRestOfBert)
{
    const auto tokenizer = makeTokenizer(
        {.model = wordPieceModel(kWordPieces),
         .normalizer = R"({"type": "BertNormalizer", "strip_accents": false})",
         .preTokenizer = R"({"type": "BertPreTokenizer"})",
         .postProcessor = R"({"type": "BertProcessing", "cls": ["[CLS]", 1], "sep": ["[SEP]", 2]})",
         .decoder = R"({"type": "WordPiece"})"});
    ASSERT_TRUE(tokenizer);
    const std::vector<TokenId> ids = tokenizer->encode("UNaff É!");
    EXPECT_EQ(ids, (std::vector<TokenId>{1, 3, 4, 8, 10, 2}));
    EXPECT_EQ(tokenizer->decode({ids.data() + 1, 4}), "unaff é!");
}

} // namespace
} // namespace ep::text::test
