// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/utf8.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace ep::text {

// The character classes used by the reference library. All text is valid UTF-8.

// The code point at the front of a non-empty text, and its length in bytes.
struct CodePoint {
    char32_t value = 0;
    std::size_t length = 1;
};
CodePoint firstCodePoint(std::string_view text);
CodePoint lastCodePoint(std::string_view text);
std::string toUtf8(char32_t codePoint);

bool isWhiteSpace(char32_t c); // White_Space
bool isNumeric(char32_t c); // general category N
bool isPunctuation(char32_t c); // general category P, or punctuation of ASCII
// Accents for StripAccents (marks, M) and BertNormalizer (non-spacing marks, Mn).
bool isAccent(char32_t c);
bool isAccentOfBert(char32_t c);
// Characters removed by BertNormalizer: control, format and private use, but not unassigned.
bool isControlOfBert(char32_t c);
bool isWord(char32_t c); // \w of UTS 18: letters, marks, decimal digits, connectors, joiners

// Full lower case without context; one code point may become two.
void appendLowerCase(std::string& text, char32_t c);

enum class NormalForm { C, D, KC, KD };
std::string toNormalForm(std::string_view text, NormalForm form);

// Characters added to Unicode after 14.0, up to 16.0. The libraries that we use support 14.0, 15.0
// or 16.0, depending on the system; ids must not depend on that.

// The ranges of these characters as the content of a PCRE2 class, for a general category ("L" or
// "Lu").
std::string additionsText(std::string_view category);

// The general category of such a character; empty for any other.
std::string_view addedCategory(char32_t c);

// The lower case of a capital added to Unicode after 14.0, up to 17.0; 0 for any other.
char32_t addedLowerCase(char32_t c);

} // namespace ep::text
