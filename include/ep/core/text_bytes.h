// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace ep {

// Appends a code point; surrogates and what is beyond Unicode as they are.
void appendUtf8(std::string& text, char32_t codePoint);

// Removes leading and trailing characters of `blanks`.
std::string_view trimmed(std::string_view text, std::string_view blanks);

std::string lowerAscii(std::string_view text); // only A to Z become lower case

} // namespace ep
