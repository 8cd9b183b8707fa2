// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

namespace ep::json {

// The size of a text parsed as JSON, found without parsing it. Parsed values take many times the
// memory of their text, so readers of text from outside check this first.
struct TextShape {
    std::size_t values = 0; // commas and opening brackets outside of strings
    int depth = 0; // nesting depth of its brackets
};
TextShape shapeOf(std::string_view text);

} // namespace ep::json
