// SPDX-License-Identifier: GPL-3.0-or-later
#include "vocabulary.h"

#include <functional>

namespace ep::text {

std::uint32_t Vocabulary::hashOf(std::string_view token)
{
    const std::uint64_t hash = std::hash<std::string_view>()(token);
    return static_cast<std::uint32_t>(hash ^ (hash >> 32U));
}

std::size_t Vocabulary::slotOf(std::string_view token, std::uint32_t hash) const
{
    const std::size_t mask = m_slots.size() - 1;
    std::size_t i = hash & mask;
    while (m_slots[i].id >= 0 && (m_slots[i].hash != hash || textOf(m_slots[i].id) != token))
        i = (i + 1) & mask;
    return i;
}

void Vocabulary::rehash(std::size_t slots)
{
    std::vector<Slot> old(slots);
    old.swap(m_slots);
    for (const Slot& slot : old) {
        if (slot.id >= 0)
            m_slots[slotOf(textOf(slot.id), slot.hash)] = slot;
    }
}

void Vocabulary::reserve(std::size_t tokens)
{
    std::size_t slots = 16;
    while (slots < tokens * 2)
        slots *= 2;
    if (slots > m_slots.size())
        rehash(slots);
    m_tokens.reserve(tokens);
}

void Vocabulary::add(std::string_view token, TokenId id)
{
    if ((m_count + 1) * 2 > m_slots.size())
        rehash(m_slots.empty() ? 16 : m_slots.size() * 2);
    const std::uint32_t hash = hashOf(token);
    Slot& slot = m_slots[slotOf(token, hash)];
    if (slot.id < 0)
        ++m_count;
    slot = {hash, id};

    const auto index = static_cast<std::size_t>(id);
    if (index >= m_tokens.size())
        m_tokens.resize(index + 1);
    m_tokens[index] = {static_cast<std::uint32_t>(m_text.size()),
                       static_cast<std::uint32_t>(token.size())};
    m_text += token;
}

std::optional<TokenId> Vocabulary::idOf(std::string_view token) const
{
    if (m_slots.empty())
        return std::nullopt;
    const Slot& slot = m_slots[slotOf(token, hashOf(token))];
    return slot.id < 0 ? std::nullopt : std::optional(slot.id);
}

} // namespace ep::text
