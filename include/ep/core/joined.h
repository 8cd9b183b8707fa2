// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace ep {

// Concatenates a list of texts, with `between` between any two.
template <typename Texts>
std::string joined(const Texts& texts, std::string_view between = ", ")
{
    std::string all;
    bool first = true;
    for (const auto& text : texts) {
        if (!first)
            all += between;
        all += text;
        first = false;
    }
    return all;
}

} // namespace ep
