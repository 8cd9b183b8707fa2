// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

// Words of an enumeration, in a table in the order of its enumerators.
namespace ep {

template <typename Enum, typename Word, std::size_t N>
constexpr Word wordOf(const std::array<Word, N>& words, Enum value)
{
    return words.at(static_cast<std::size_t>(value));
}

template <typename Enum, std::size_t N>
constexpr std::optional<Enum> enumOf(const std::array<std::string_view, N>& words,
                                     std::string_view word)
{
    for (std::size_t i = 0; i < N; ++i) {
        if (words[i] == word)
            return static_cast<Enum>(i);
    }
    return std::nullopt;
}

} // namespace ep
