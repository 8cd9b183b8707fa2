// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/utf8.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ep::text::jinja {

// Text functions by code point with the semantics of Python's str methods. All text is valid UTF-8.

// The code points, each as a sequence of bytes.
std::vector<std::string_view> charactersOf(std::string_view text);
char32_t codePointOf(std::string_view character); // from its bytes
void appendCodePoint(std::string& text, char32_t c); // U+FFFD for invalid ones
// Number of bytes of the character that begins with this byte.
std::size_t characterBytes(char first);

bool isSpace(char32_t c); // str.isspace
bool isPrintable(char32_t c); // str.isprintable
bool isLetter(char32_t c); // str.isalpha
bool isDigit(char32_t c); // str.isdecimal
bool isUpper(char32_t c);
bool isLower(char32_t c);

std::string upper(std::string_view text);
std::string lower(std::string_view text);
std::string titled(std::string_view text); // capitalises every word: str.title
std::string capitalized(std::string_view text); // capitalises the first letter, lowers the rest

// Strips the given characters from the ends, or white space if none are given.
std::string_view stripLeft(std::string_view text, const std::string* characters = nullptr);
std::string_view stripRight(std::string_view text, const std::string* characters = nullptr);
std::string_view strip(std::string_view text, const std::string* characters = nullptr);

// Find the first and the last position of one text in another; npos if it does not occur. The time
// grows with the sum of the two lengths; that of std::string's functions can grow with the product.
std::size_t findFirst(std::string_view text, std::string_view sought, std::size_t from = 0);
std::size_t findLast(std::string_view text, std::string_view sought);

} // namespace ep::text::jinja
