// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/utf8.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>

namespace ep {

using namespace std::string_literals;

TEST(Utf8, ReplacesEachMaximalInvalidPart)
{
    const std::tuple<std::string, std::string> cases[] = {
        {"", ""},
        {"plain", "plain"},
        {"g\xC3\xBCte", "g\xC3\xBCte"},
        {"\xFF", "\uFFFD"},
        {"a\x80z", "a\uFFFDz"},
        {"\xC0\xAF", "\uFFFD\uFFFD"}, // overlong slash
        {"\xE0\x80\x80", "\uFFFD\uFFFD\uFFFD"}, // overlong NUL
        {"\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD"}, // surrogate
        {"\xF4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"}, // above U+10FFFF
        {"\xE2\x82", "\uFFFD"}, // truncated: counts as one maximal part
        {"\xF0\x9F\x98!", "\uFFFD!"},
        {"nul\0byte"s, "nul\0byte"s},
    };
    for (const auto& [bytes, text] : cases) {
        EXPECT_EQ(replaceInvalidUtf8(bytes), text);
        EXPECT_EQ(isValidUtf8(bytes), bytes == text);
    }
}

TEST(Utf8, FindsTheValidPrefix)
{
    EXPECT_EQ(validUtf8Prefix("ab\xE2\x82"), 2U);
    EXPECT_EQ(validUtf8Prefix("ab\xE2\x82\xAC"), 5U);
    EXPECT_EQ(validUtf8Prefix("\xFFxx"), 0U);
}

TEST(Utf8, TrimsBlanksAndLineBreaks)
{
    EXPECT_EQ(trimmed(" \t two words\r\n"), "two words");
    EXPECT_EQ(trimmed("whole"), "whole");
    EXPECT_EQ(trimmed(" \n "), "");
}

TEST(Utf8, PreviewCountsCharactersNotBytes)
{
    EXPECT_EQ(previewUtf8("\xC3\xBC\xC3\xBC\xC3\xBC", 2), "\xC3\xBC\xC3\xBC\u2026");
    EXPECT_EQ(previewUtf8("two\nlines", 20), "two lines");
    EXPECT_EQ(previewUtf8("exact", 5), "exact");
}

TEST(Utf8, FoldsTheCaseOfLetters)
{
    const std::pair<const char*, const char*> cases[] = {
        {"ABC xyz 123", "abc xyz 123"},
        {"ÄÖÜ ÑÉ ×ß", "äöü ñé ×ß"},
        {"ŁŐŠŽ łőšž", "łőšž łőšž"},
        {"ΑΣΩ", "ασω"},
        {"ЖЯЁ", "жяё"},
        {"漢字 🦊", "漢字 🦊"},
        {"\xC3", "\xC3"}, // cut off
        {"\xC3(", "\xC3("},
    };
    for (const auto& [text, folded] : cases)
        EXPECT_EQ(foldCase(text), folded);
}

} // namespace ep
