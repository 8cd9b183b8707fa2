// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "flat_map.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ep::text {

// Finds any of many phrases in a text: the leftmost match, and the longest of these.
class PhraseFinder {
public:
    struct Match {
        std::size_t begin = 0;
        std::size_t end = 0;
        std::size_t phrase = 0; // index in the order of add(); the first of equal phrases
    };

    // An empty phrase gets a number but is never found.
    void add(std::string_view phrase);
    bool isEmpty() const { return m_nodes == 1; }
    std::optional<Match> find(std::string_view text, std::size_t from) const;

private:
    static constexpr std::uint32_t noPhrase = UINT32_MAX;
    struct Edge {
        std::uint32_t child = 0;
        std::uint32_t phrase = noPhrase; // phrase that ends at the child
    };
    static std::uint64_t key(std::uint32_t node, char byte)
    {
        return (std::uint64_t{node} << 8U) | static_cast<unsigned char>(byte);
    }

    FlatMap<Edge> m_trie;
    std::array<bool, 256> m_begins{}; // bytes that may begin a phrase
    std::uint32_t m_nodes = 1;
    std::uint32_t m_phrases = 0;
};

} // namespace ep::text
