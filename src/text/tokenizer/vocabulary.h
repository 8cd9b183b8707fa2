// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/text/tokenizer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ep::text {

constexpr TokenId highestTokenId = (1 << 22) - 1; // far above any vocabulary; bounds the memory

// Maps token strings to ids and back. All strings are in one block and the table of ids is flat,
// since half a million merges look up three tokens each when a large tokenizer is read. Returned
// views are valid until the next add().
class Vocabulary {
public:
    void reserve(std::size_t tokens);

    // A string that already exists gets the new id; the old id keeps its string.
    void add(std::string_view token, TokenId id);

    std::optional<TokenId> idOf(std::string_view token) const;
    bool hasId(TokenId id) const
    {
        return id >= 0 && static_cast<std::size_t>(id) < m_tokens.size()
            && m_tokens[static_cast<std::size_t>(id)].begin != none;
    }
    // Empty for an unknown id.
    std::string_view tokenOf(TokenId id) const
    {
        return hasId(id) ? textOf(id) : std::string_view();
    }

    std::size_t size() const { return m_count; } // number of distinct strings

private:
    static constexpr std::uint32_t none = UINT32_MAX;
    struct Token {
        std::uint32_t begin = none; // offset in m_text
        std::uint32_t length = 0;
    };
    struct Slot {
        std::uint32_t hash = 0;
        TokenId id = -1; // -1: free
    };

    static std::uint32_t hashOf(std::string_view token);
    std::string_view textOf(TokenId id) const
    {
        const Token& token = m_tokens[static_cast<std::size_t>(id)];
        return std::string_view(m_text).substr(token.begin, token.length);
    }
    std::size_t slotOf(std::string_view token, std::uint32_t hash) const;
    void rehash(std::size_t slots);

    std::string m_text;
    std::vector<Token> m_tokens; // by id
    std::vector<Slot> m_slots; // a power of two, at most half full
    std::size_t m_count = 0;
};

} // namespace ep::text
