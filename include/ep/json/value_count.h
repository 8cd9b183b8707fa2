// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

namespace ep::json {

// What a text would become if it were parsed as JSON, found without parsing. Parsed values take
// many times the memory of their text, so readers of what others send look at this first.
struct TextShape {
    std::size_t values = 0; // commas and opening brackets outside of strings
    int depth = 0; // of its brackets
};
TextShape shapeOf(std::string_view text);

} // namespace ep::json
