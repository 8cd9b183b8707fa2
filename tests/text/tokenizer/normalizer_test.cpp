// SPDX-License-Identifier: GPL-3.0-or-later
#include "normalizer.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ep::text::test {
namespace {

std::string normalized(const std::string& definition, const std::string& text)
{
    const nlohmann::json json = nlohmann::json::parse(definition);
    TextBudget budget(text.size());
    NormalizedText value{text, true, &budget};
    const Status status = readNormalizer(json::Value(json))->normalize(value);
    return status ? value.text : "error: " + status.error().message.english();
}

// Two rules as SentencePiece compiles them: "fi" for the ligature U+FB01, and the removal of
// U+00AD.
TEST(Normalizer, ChangesText)
{
    struct Case {
        std::string definition;
        std::string text;
        std::string expected;
    };
    const std::vector<Case> cases = {
        {R"({"type": "NFC"})", "e\u0301 \u212b", "\u00e9 \u00c5"},
        {R"({"type": "NFC"})", "\u1100\u1161\u11a8", "\uac01"},
        {R"({"type": "NFC"})", "q\u0307\u0323", "q\u0323\u0307"}, // canonical order of marks
        {R"({"type": "NFC"})", "\u0301", "\u0301"},
        {R"({"type": "NFD"})", "\u00e9\uac01", "e\u0301\u1100\u1161\u11a8"},
        {R"({"type": "NFKC"})", "\ufb01\u2460\uff21", "fi1A"},
        {R"({"type": "NFKD"})", "\u00bd", "1\u20442"},
        {R"({"type": "Lowercase"})", "ÀB\u0130\u03a3", "àbi\u0307\u03c3"},
        {R"({"type": "StripAccents"})", "e\u0301a\u0308", "ea"},
        {R"({"type": "Nmt"})", "a\u0001b\u200bc\td", "ab c d"},
        {R"({"type": "Prepend", "prepend": "_"})", "ab", "_ab"},
        {R"({"type": "Prepend", "prepend": "_"})", "", ""},
        {R"({"type": "Replace", "pattern": {"String": "aa"}, "content": "b"})", "aaaxa", "baxa"},
        {R"({"type": "Replace", "pattern": {"String": " "}, "content": "▁"})", " a  b", "▁a▁▁b"},
        {R"({"type": "Replace", "pattern": {"Regex": "\\s+"}, "content": "$0"})", "a  b", "a$0b"},
        {R"({"type": "Replace", "pattern": {"String": ""}, "content": "-"})", "ab", "-a-b-"},
        {R"({"type": "Strip", "strip_left": true, "strip_right": false})", " \u3000a ", "a "},
        {R"({"type": "Strip", "strip_left": false, "strip_right": true})", " a\t\u00a0", " a"},
        {R"({"type": "BertNormalizer"})", "H\u00e9\tL\u200bl\u0001o\u4f60!", "he llo \u4f60 !"},
        {R"({"type": "BertNormalizer", "lowercase": false})", "\u00c9 \u4f60", "\u00c9  \u4f60 "},
        {R"({"type": "BertNormalizer", "clean_text": false, "handle_chinese_chars": false,
            "strip_accents": true, "lowercase": false})",
         "\u00c9\t\u4f60", "E\t\u4f60"},
        {R"({"type": "BertNormalizer", "strip_accents": false})", "\u00c9", "\u00e9"},
        // The tables of the reference library: only the ends of the private use areas, no
        // unassigned characters, and no format characters and marks added after Unicode 8.
        {R"({"type": "BertNormalizer"})", "\ue000\ue001\uf8ff\u0378\u00ad\u08e2\U0010ffff",
         "\u0378\u08e2\U0010ffff"},
        {R"({"type": "BertNormalizer"})", "a\u0301b\u1734c\u1df6d\u08d4", "abc\u1df6d\u08d4"},
        {R"({"type": "StripAccents"})", "a\u0301b\u0903c\u1df6d\u08d4\u1cf2", "abc\u1df6d"},
        {R"({"type": "Lowercase"})", "\ua7dc\U00010d50\U00010d65\U00016eb8",
         "\u019b\U00010d70\U00010d85\U00016ed3"},
        {R"({"type": "Replace", "pattern": {"Regex": "\\p{C}"}, "content": "-"})",
         "\u0897\u0378\ue000\u00ad\U00031350", "\u0897---\U00031350"},
        {R"({"type": "Replace", "pattern": {"Regex": "[\\P{C}]"}, "content": "-"})",
         "\u0897\u0378\U00031350", "-\u0378-"},
        {R"({"type": "ByteLevel"})", " \u00e9", "\u0120\u00c3\u00a9"},
        {R"({"type": "Sequence", "normalizers": []})", "A", "A"},
        {R"({"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "StripAccents"},
            {"type": "Sequence", "normalizers": [{"type": "Lowercase"}]}]})",
         "\u00c9t\u00c9", "ete"},
    };
    for (const Case& example : cases)
        EXPECT_EQ(normalized(example.definition, example.text), example.expected)
            << example.definition << " on " << example.text;
}

TEST(Normalizer, ManyMarksInARowTakeNoQuadraticTime)
{
    std::string text = "a";
    for (int i = 0; i < 200'000; ++i)
        text += i % 2 == 0 ? "\u0301" : "\u0323";
    const std::string result = normalized(R"({"type": "NFD"})", text);
    EXPECT_EQ(result.size(), text.size());
    EXPECT_EQ(result.substr(0, 5), "a\u0323\u0323");
}

TEST(Normalizer, KnowsWhetherTheFirstCharacterWasKept)
{
    struct Case {
        std::string definition;
        bool kept;
    };
    const std::vector<Case> cases = {
        {R"({"type": "Strip", "strip_left": true, "strip_right": true})", false},
        {R"({"type": "Strip", "strip_left": false, "strip_right": true})", true},
        {R"({"type": "Replace", "pattern": {"String": " "}, "content": ""})", false},
        {R"({"type": "Replace", "pattern": {"String": " "}, "content": "_"})", true},
        {R"({"type": "Prepend", "prepend": "_"})", true},
    };
    for (const Case& example : cases) {
        const nlohmann::json json = nlohmann::json::parse(example.definition);
        TextBudget budget(3);
        NormalizedText value{" a ", true, &budget};
        ASSERT_TRUE(readNormalizer(json::Value(json))->normalize(value));
        EXPECT_EQ(value.keepsFirst, example.kept) << example.definition;
    }
}

// One character must not become a gigabyte, whichever part multiplies it.
TEST(Normalizer, DoesNotMultiplyATextWithoutLimit)
{
    const std::string thousand(1000, 'a');
    const std::string replace =
        R"({"type": "Replace", "pattern": {"String": "a"}, "content": ")" + thousand + "\"}";
    const std::string three =
        R"({"type": "Sequence", "normalizers": [)" + replace + "," + replace + "," + replace + "]}";
    EXPECT_EQ(normalized(replace, "a"), thousand);
    EXPECT_EQ(normalized(three, "a"),
              "error: The tokenizer makes the text longer than 16.8 MB, in the normalizer Replace: "
              "check that its tokenizer.json is the original one.");

    std::string doubling = R"({"type": "ByteLevel"})";
    for (int i = 0; i < 30; ++i)
        doubling += R"(, {"type": "ByteLevel"})";
    EXPECT_TRUE(normalized(R"({"type": "Sequence", "normalizers": [)" + doubling + "]}", "\u00e9")
                    .starts_with("error: The tokenizer makes the text longer"));

    std::string many = R"({"type": "NFC"})";
    for (int i = 0; i < 2000; ++i)
        many += R"(, {"type": "NFC"})";
    EXPECT_TRUE(normalized(R"({"type": "Sequence", "normalizers": [)" + many + "]}",
                           std::string(1U << 20U, 'a'))
                    .starts_with("error: The tokenizer needs too much work for this text, in a"));
}

} // namespace
} // namespace ep::text::test
