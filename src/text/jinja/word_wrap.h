// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ep::text::jinja {

struct WrapStyle {
    int width = 79;
    bool break_long_words = true;
    bool break_on_hyphens = true;
};

// The lines into which Python's textwrap.wrap() splits one line.
std::vector<std::string> wrapped(std::string_view line, const WrapStyle& style);

} // namespace ep::text::jinja
