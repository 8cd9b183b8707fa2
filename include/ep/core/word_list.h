// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace ep {

// Splits a text at its blanks; constants with another number of words do not compile:
// constexpr auto kUnits = wordList<3>("s ms us");
template <std::size_t N>
constexpr std::array<std::string_view, N> wordList(std::string_view text)
{
    std::array<std::string_view, N> words;
    std::size_t begin = 0;
    for (std::string_view& word : words) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        word = text.substr(begin, end - begin);
        begin = end + 1;
    }
    if (begin <= text.size())
        throw "more words than stated";
    return words;
}

} // namespace ep
