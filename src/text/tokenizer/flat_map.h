// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ep::text {

// A hash map with 64-bit keys, for insertion and lookup only: open addressing in one array, since
// merging looks up a pair in every step and a node-based map would miss the cache each time. The
// key of all ones is not allowed; it marks free slots.
template <typename Value>
class FlatMap {
public:
    void reserve(std::size_t count)
    {
        std::size_t slots = 16;
        while (slots < count * 2)
            slots *= 2;
        if (slots > m_slots.size())
            rehash(slots);
    }

    const Value* find(std::uint64_t key) const
    {
        if (m_slots.empty())
            return nullptr;
        const Slot& slot = m_slots[slotOf(key)];
        return slot.key == freeKey ? nullptr : &slot.value;
    }

    // The value of the key, default-constructed if it is new.
    Value& operator[](std::uint64_t key)
    {
        if ((m_count + 1) * 2 > m_slots.size())
            rehash(m_slots.empty() ? 16 : m_slots.size() * 2);
        Slot& slot = m_slots[slotOf(key)];
        if (slot.key == freeKey) {
            slot.key = key;
            ++m_count;
        }
        return slot.value;
    }

private:
    static constexpr std::uint64_t freeKey = UINT64_MAX;
    struct Slot {
        std::uint64_t key = freeKey;
        Value value{};
    };

    std::size_t slotOf(std::uint64_t key) const
    {
        std::uint64_t hash = key * 0x9e3779b97f4a7c15ULL;
        hash ^= hash >> 32U;
        const std::size_t mask = m_slots.size() - 1;
        std::size_t i = static_cast<std::size_t>(hash) & mask;
        while (m_slots[i].key != freeKey && m_slots[i].key != key)
            i = (i + 1) & mask;
        return i;
    }

    void rehash(std::size_t slots)
    {
        std::vector<Slot> old(slots);
        old.swap(m_slots);
        for (Slot& slot : old) {
            if (slot.key != freeKey)
                m_slots[slotOf(slot.key)] = std::move(slot);
        }
    }

    std::vector<Slot> m_slots;
    std::size_t m_count = 0;
};

} // namespace ep::text
