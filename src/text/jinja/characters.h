// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ep::text::jinja {

// Texts by code point, with the meaning of Python's str methods. All text here is valid UTF-8.

// The code points, each as its bytes.
std::vector<std::string_view> charactersOf(std::string_view text);
std::size_t characterCount(std::string_view text);
char32_t codePointOf(std::string_view character); // of its one or more bytes
void appendCodePoint(std::string& text, char32_t c); // U+FFFD for what is none
// Bytes of the character that begins with this one.
std::size_t characterBytes(char first);

bool isSpace(char32_t c); // str.isspace
bool isPrintable(char32_t c); // str.isprintable
bool isLetter(char32_t c); // str.isalpha
bool isDigit(char32_t c); // str.isdecimal
bool isUpper(char32_t c);
bool isLower(char32_t c);

std::string upper(std::string_view text);
std::string lower(std::string_view text);
std::string titled(std::string_view text); // every word begins with a capital: str.title
std::string capitalized(std::string_view text); // the first letter a capital, the rest small

// Without the given characters at its ends; without any given: without white space.
std::string_view stripLeft(std::string_view text, const std::string* characters = nullptr);
std::string_view stripRight(std::string_view text, const std::string* characters = nullptr);
std::string_view strip(std::string_view text, const std::string* characters = nullptr);

} // namespace ep::text::jinja
