// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/tokenizer.h"

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ep::model {

constexpr TokenId highestTokenId = (1 << 22) - 1; // far above any vocabulary; bounds the memory

// Token strings and their ids, both ways. Neither moved nor copied, since views point into it.
class Vocabulary {
public:
    Vocabulary() = default;
    Vocabulary(const Vocabulary&) = delete;
    Vocabulary& operator=(const Vocabulary&) = delete;

    void reserve(std::size_t count) { m_ids.reserve(count); }

    // A token that is there already gets the new id; the old id keeps its string.
    void add(std::string_view token, TokenId id)
    {
        m_strings.emplace_back(token);
        const std::string_view kept = m_strings.back();
        m_ids[kept] = id;
        const auto index = static_cast<std::size_t>(id);
        if (index >= m_tokens.size())
            m_tokens.resize(index + 1);
        m_tokens[index] = kept;
    }

    std::optional<TokenId> idOf(std::string_view token) const
    {
        const auto found = m_ids.find(token);
        return found == m_ids.end() ? std::nullopt : std::optional(found->second);
    }

    bool hasId(TokenId id) const
    {
        return id >= 0 && static_cast<std::size_t>(id) < m_tokens.size()
            && m_tokens[static_cast<std::size_t>(id)].data() != nullptr;
    }

    // Empty for an unknown id.
    std::string_view tokenOf(TokenId id) const
    {
        return hasId(id) ? m_tokens[static_cast<std::size_t>(id)] : std::string_view();
    }

    std::size_t size() const { return m_ids.size(); } // different strings

private:
    std::deque<std::string> m_strings;
    std::unordered_map<std::string_view, TokenId> m_ids;
    std::vector<std::string_view> m_tokens; // by id; a null view where there is none
};

} // namespace ep::model
