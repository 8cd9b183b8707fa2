// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ep {

// Number of bytes at the front that are whole, valid UTF-8.
std::size_t validUtf8Prefix(std::string_view bytes);

bool isValidUtf8(std::string_view bytes);

// Invalid bytes become U+FFFD, one for each maximal invalid part (the Unicode recommendation).
std::string replaceInvalidUtf8(std::string_view bytes);

// Without the blanks and line breaks around it.
std::string_view trimmed(std::string_view text);

// The first maxCharacters code points, with "…" when something was cut; newlines become spaces.
std::string previewUtf8(std::string_view text, std::size_t maxCharacters);

// For comparing texts whatever their case: Latin, Greek and Cyrillic letters become small ones, all
// else stays as it is.
std::string foldCase(std::string_view text);

} // namespace ep
