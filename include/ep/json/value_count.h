// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

namespace ep::json {

// What json::parse() and parseUniqueKeys() read at most: a value takes up to a hundred times the
// memory of its text. The largest vocabularies in use have 1.9 million values, with their merges.
inline constexpr std::size_t kMaxValues = 1U << 22U;

// The size of a text parsed as JSON, found without parsing it. Parsed values take many times the
// memory of their text, so readers of text from outside check this first.
struct TextShape {
    std::size_t values = 0; // commas and opening brackets outside of strings
    int depth = 0; // nesting depth of its brackets
};
TextShape shapeOf(std::string_view text);

} // namespace ep::json
