// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "matrix.h"

#include "ep/core/activation_stats.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace ep::model {

// Keeps statistics of matrices on the processor as long as these are not modified, because the
// output of a component is that of its last operation, and the output of a layer that of its last
// component.
class KnownStats {
public:
    const ActivationStats* find(const Matrix& x, float threshold) const // null: unknown
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
    // Forgets everything that shares memory with x, which will be written.
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

    std::array<Entry, 4> m_entries = {}; // enough until the next reader of a matrix
    std::size_t m_next = 0;
};

} // namespace ep::model
