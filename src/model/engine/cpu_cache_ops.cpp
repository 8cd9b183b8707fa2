// SPDX-License-Identifier: GPL-3.0-or-later
// Keys and values stored in q8_0 blocks (kv_cache.h).
#include "cpu_ops_impl.h"
#include "quantize/ggml_blocks.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace ep::model {
namespace {

constexpr std::int64_t kDequantizedPositions = 64; // positions that a thread claims at a time

// One half (keys or values) of a layer's cache: blocks [heads, capacity], and their numbers.
struct BlockedHalf {
    std::uint8_t* blocks = nullptr;
    float* numbers = nullptr;
    std::int64_t dimension = 0;

    std::int64_t rowBytes() const { return bytesOf(DType::Q8_0, dimension); }
};

void dequantizePositions(const Kernels& kernels, const BlockedHalf& half, std::int64_t first,
                         std::int64_t count)
{
    const WeightRows rows{.values = half.blocks, .columns = half.dimension};
    const auto dequantize = matmulsFor(kernels, DType::Q8_0).dequantizeRow;
    for (std::int64_t i = first; i < first + count; ++i)
        dequantize(rows, i, half.numbers + i * half.dimension);
}

void keepPosition(const Kernels& kernels, const BlockedHalf& half, std::int64_t position)
{
    const float* const numbers = half.numbers + position * half.dimension;
    std::uint8_t* const blocks = half.blocks + position * half.rowBytes();
    for (std::int64_t i = 0; i < half.dimension / kGroup; ++i) {
        const BlockQ8_0 block = toQ8_0(numbers + i * kGroup);
        std::memcpy(blocks + i * static_cast<std::int64_t>(sizeof(block)), &block, sizeof(block));
    }
    dequantizePositions(kernels, half, position, 1);
}

std::array<BlockedHalf, 2> halvesOf(const KvCache& cache, const AttentionShape& shape, int layer)
{
    const KvCache::Layer& stored = cache.layer(layer);
    return {BlockedHalf{.blocks = stored.key_blocks.data_ptr<std::uint8_t>(),
                        .numbers = stored.key_data,
                        .dimension = shape.head_dim},
            BlockedHalf{.blocks = stored.value_blocks.data_ptr<std::uint8_t>(),
                        .numbers = stored.value_data,
                        .dimension = shape.values()}};
}

} // namespace

// Dequantizes the positions that the rows see. New positions need it only if they belong to an
// earlier layer.
void CpuOps::dequantizeCache(const AttentionShape& shape, const SequenceRows& rows, int layer)
{
    const KvCache& cache = *rows.cache;
    if (!cache.inBlocks())
        return;
    const std::int64_t begin =
        shape.window ? std::max<std::int64_t>(0, cache.length() + 1 - *shape.window) : 0;
    const std::int64_t end = cache.length() + (shape.own_keys ? 0 : rows.count);
    if (begin >= end)
        return;
    const std::int64_t pieces = (end - begin + kDequantizedPositions - 1) / kDequantizedPositions;
    const auto halves = halvesOf(cache, shape, layer);
    const std::int64_t work = kDequantizedPositions * (shape.head_dim + shape.values());
    const std::int64_t grain = std::max<std::int64_t>(1, kSerialWork / work);
    m_pool->runRanges(shape.kv_heads * pieces, grain, 1, [&](std::int64_t task, std::int64_t last) {
        for (; task < last; ++task) {
            const std::int64_t first = begin + task % pieces * kDequantizedPositions;
            const std::int64_t count = std::min(kDequantizedPositions, end - first);
            for (const BlockedHalf& half : halves)
                dequantizePositions(m_kernels, half, task / pieces * cache.capacity() + first,
                                    count);
        }
    });
}

// Quantizes the new positions; this step sees their quantized values, like later steps.
void CpuOps::keepInBlocks(const AttentionShape& shape, const SequenceRows& rows, int layer)
{
    const KvCache& cache = *rows.cache;
    if (!cache.inBlocks() || !shape.own_keys)
        return;
    const auto halves = halvesOf(cache, shape, layer);
    const std::int64_t numbers = shape.kv_heads * (shape.head_dim + shape.values());
    forEachRow(rows.count, numbers, [&](std::int64_t row) {
        for (std::int64_t head = 0; head < shape.kv_heads; ++head) {
            for (const BlockedHalf& half : halves)
                keepPosition(m_kernels, half, head * cache.capacity() + cache.length() + row);
        }
    });
}

} // namespace ep::model
