// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cpu_ops.h"

#include <algorithm>

// How CpuOps distributes work; for its source files.
namespace ep::model {

// Work on fewer values (or multiplications) is done before a second thread has woken up.
inline constexpr std::int64_t kSerialWork = 1 << 14;
// Up to this number of rows, weights are read once and multiplied without packing; with more rows,
// packing is faster.
inline constexpr std::int64_t kFewRows = 12;

inline void prefetch(const float* values, std::int64_t count)
{
    constexpr std::int64_t kLine = 64 / sizeof(float);
    for (std::int64_t i = 0; i < count; i += kLine)
        __builtin_prefetch(values + i);
}

// scores[t] = keys[t, :] . query
inline void scoreKeysOfHead(const Kernels& kernels, const float* keys, std::int64_t dim,
                            const float* query, float* scores, std::int64_t count)
{
    constexpr auto kShape = static_cast<std::size_t>(RowShape::Spread);
    const WeightRows rows{.values = keys, .columns = dim};
    matmulsFor(kernels, DType::F32).row[kShape](rows, query, scores, 0, count);
}

template <typename Job>
void CpuOps::forEachRow(std::int64_t rows, std::int64_t columns, Job&& job)
{
    const std::int64_t grain =
        std::max<std::int64_t>(1, kSerialWork / std::max<std::int64_t>(1, columns));
    m_pool->runRanges(rows, grain, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row)
            job(row);
    });
}

// Calls job(head, row of the step, its place, its scores) for each row of the block.
template <typename Job>
void CpuOps::forEachHead(const AttentionShape& shape, const ScoreBlock& block, Job&& job)
{
    const std::int64_t work = std::max<std::int64_t>(1, block.scores.columns * shape.head_dim);
    const std::int64_t grain = std::max<std::int64_t>(1, kSerialWork / work);
    m_pool->runRanges(
        block.count * shape.heads, grain, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t task = begin; task < end; ++task) {
                const std::int64_t head = task / block.count;
                const std::int64_t row = task % block.count;
                job(head, block.first + row, m_places[static_cast<std::size_t>(block.first + row)],
                    block.scores.row(row * shape.heads + head));
            }
        });
}

} // namespace ep::model
