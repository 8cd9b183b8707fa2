// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kernels.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ep::model {

// Rows of activations in 16 bits, as the kernels for block-quantized weights expect them. The
// memory is reused from matmul to matmul.
class RoundedRows {
public:
    void resize(std::int64_t rows, std::int64_t columns)
    {
        m_groups = (columns + kSpan - 1) / kSpan * (kSpan / kGroup);
        const auto groups = static_cast<std::size_t>(rows * m_groups);
        if (m_scales.size() >= groups)
            return;
        m_values.resize(groups * kGroup);
        m_bytes.resize(2 * groups * kGroup);
        m_scales.resize(groups);
        m_sums.resize(groups);
        m_halfSums.resize(2 * groups);
    }

    // Converts row `index` from x; columns as in resize(), a multiple of 32.
    void round(const Kernels& kernels, std::int64_t index, const float* x, std::int64_t columns)
    {
        const std::int64_t first = index * m_groups;
        kernels.quantizeRow(x, columns, m_values.data() + first * kGroup, m_scales.data() + first,
                            m_sums.data() + first, m_halfSums.data() + 2 * first,
                            m_bytes.data() + 2 * first * kGroup);
    }

    BlockedRow row(std::int64_t index) const
    {
        const std::int64_t first = index * m_groups;
        return {.values = m_values.data() + first * kGroup,
                .scales = m_scales.data() + first,
                .sums = m_sums.data() + first,
                .half_sums = m_halfSums.data() + 2 * first,
                .bytes = m_bytes.data() + 2 * first * kGroup};
    }

private:
    static constexpr std::int64_t kGroup = 32;
    static constexpr std::int64_t kSpan = 256;

    std::int64_t m_groups = 0; // groups per row
    std::vector<std::int16_t> m_values;
    std::vector<std::int8_t> m_bytes;
    std::vector<float> m_scales;
    std::vector<float> m_sums;
    std::vector<float> m_halfSums;
};

} // namespace ep::model
