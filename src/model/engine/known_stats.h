// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "matrix.h"

#include "ep/core/activation_stats.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace ep::model {

// Statistics of matrices on the processor that no operation has written to since: a component
// leaves what its last operation leaves, a layer what its last component does.
class KnownStats {
public:
    const ActivationStats* find(const Matrix& x, float threshold) const // null: not known
    {
        for (const Entry& entry : m_entries) {
            if (entry.begin == x.data && entry.end == endOf(x) && entry.rows == x.rows
                && entry.columns == x.columns && entry.threshold == threshold)
                return &entry.stats;
        }
        return nullptr;
    }
    void keep(const Matrix& x, float threshold, const ActivationStats& stats)
    {
        m_entries[m_next] = {.begin = x.data,
                             .end = endOf(x),
                             .rows = x.rows,
                             .columns = x.columns,
                             .threshold = threshold,
                             .stats = stats};
        m_next = (m_next + 1) % m_entries.size();
    }
    // x is about to be written: whatever shares its memory.
    void forget(const Matrix& x)
    {
        const float* const end = endOf(x);
        for (Entry& entry : m_entries) {
            if (entry.begin < end && x.data < entry.end)
                entry = {};
        }
    }
    void clear() { m_entries = {}; }

private:
    struct Entry {
        const float* begin = nullptr; // null: none
        const float* end = nullptr;
        std::int64_t rows = 0;
        std::int64_t columns = 0;
        float threshold = 0.0F;
        ActivationStats stats{};
    };

    static const float* endOf(const Matrix& x) { return x.data + x.rows * x.stride; }

    std::array<Entry, 4> m_entries = {}; // as many as lie between a matrix and its next reader
    std::size_t m_next = 0;
};

} // namespace ep::model
