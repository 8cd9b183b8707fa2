// SPDX-License-Identifier: GPL-3.0-or-later
#include "fixtures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ep::text::test {
namespace {

using testing::HasSubstr;

using Tokens = std::vector<std::string>;

constexpr const char* pieces = R"(["<unk>", 0.0], ["a", 0.0], ["b", 0.0], ["c", 0.0], ["d", 0.0],
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
    const auto tokenizer = makeTokenizer({.model = unigram(pieces, R"(, "unk_id": 0)")});
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
    const auto tokenizer = makeTokenizer({.model = unigram(pieces, R"(, "unk_id": null)")});
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

} // namespace
} // namespace ep::text::test
