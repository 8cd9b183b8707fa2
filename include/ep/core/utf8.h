// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ep {

// Number of leading bytes that are complete and valid UTF-8.
std::size_t validUtf8Prefix(std::string_view bytes);

bool isValidUtf8(std::string_view bytes);

std::size_t codePointCount(std::string_view text); // of valid UTF-8

// Replaces each maximal invalid part by one U+FFFD (the Unicode recommendation).
std::string replaceInvalidUtf8(std::string_view bytes);

// Removes leading and trailing characters of `blanks`: without them, blanks and line breaks.
std::string_view trimmed(std::string_view text);
std::string_view trimmed(std::string_view text, std::string_view blanks);

std::string lowerAscii(std::string_view text); // only A to Z become lower case

// Appends a code point. Surrogates and values beyond Unicode are encoded like any other number.
void appendUtf8(std::string& text, char32_t codePoint);

// The first maxCharacters code points, with "…" if the text was cut; newlines become spaces.
std::string previewUtf8(std::string_view text, std::size_t maxCharacters);

// For case-insensitive comparison: Latin, Greek and Cyrillic letters become lower case, everything
// else stays the same.
std::string foldCase(std::string_view text);

} // namespace ep
