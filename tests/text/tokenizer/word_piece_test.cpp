// SPDX-License-Identifier: GPL-3.0-or-later
#include "fixtures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ep::text::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Tokens = std::vector<std::string>;

std::string wordPieceModel(const std::string& vocabulary, const std::string& more = {})
{
    return R"({"type": "WordPiece", "vocab": )" + vocabulary + more + "}";
}

constexpr const char* words =
    R"({"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "un": 3, "##aff": 4, "##able": 5, "##a": 6, "u": 7, "é": 8,
        "##é": 9, "!": 10, "[": 11, "]": 12})";

TEST(WordPiece, TakesTheLongestTokenFirst)
{
    const auto tokenizer = makeTokenizer(
        {.model = wordPieceModel(words), .preTokenizer = R"({"type": "BertPreTokenizer"})"});
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
        makeTokenizer({.model = wordPieceModel(words, R"(, "max_input_chars_per_word": 2)")});
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
        {.model = wordPieceModel(words),
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
