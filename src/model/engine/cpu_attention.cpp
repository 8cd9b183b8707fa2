// SPDX-License-Identifier: GPL-3.0-or-later
// Attention of the fused pass on the processor: rotation, scores, softmax and weighted sums.
#include "cpu_ops.h"
#include "cpu_ops_impl.h"
#include "quantize/ggml_blocks.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

namespace ep::model {
namespace {

constexpr std::int64_t kMinScores = 4096; // initial capacity for a row, so that it rarely grows
constexpr std::int64_t kAskedValues = 256; // values of an attended head to prefetch

// Rotates the pairs (2i, 2i + 1) of each of `heads` vectors at distance `stride`.
void rotatePairs(float* x, std::int64_t heads, std::int64_t stride, const float* cosines,
                 const float* sines, std::int64_t half)
{
    for (std::int64_t head = 0; head < heads; ++head, x += stride) {
        for (std::int64_t i = 0; i < half; ++i) {
            const float a = x[2 * i];
            const float b = x[2 * i + 1];
            x[2 * i] = a * cosines[i] - b * sines[i];
            x[2 * i + 1] = b * cosines[i] + a * sines[i];
        }
    }
}

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

const float* CpuOps::RowPlace::keysOf(const AttentionShape& shape, std::int64_t head) const
{
    return keys + (head * shape.kv_heads / shape.heads * capacity + begin(shape)) * shape.head_dim;
}

const float* CpuOps::RowPlace::valuesOf(const AttentionShape& shape, std::int64_t head) const
{
    return values
        + (head * shape.kv_heads / shape.heads * capacity + begin(shape)) * shape.values();
}

std::int64_t CpuOps::RowPlace::begin(const AttentionShape& shape) const
{
    return shape.window ? std::max<std::int64_t>(0, end() - *shape.window) : 0;
}

std::int64_t CpuOps::placeRows(std::span<const SequenceRows> sequences, int layer)
{
    m_places.clear();
    std::int64_t longest = 0;
    for (const SequenceRows& part : sequences) {
        const KvCache& cache = *part.cache;
        const KvCache::Layer& stored = cache.layer(layer);
        for (std::int64_t i = 0; i < part.count; ++i) {
            m_places.push_back({.keys = stored.key_data,
                                .values = stored.value_data,
                                .capacity = cache.capacity(),
                                .position = cache.length() + i,
                                .last = i + 1 == part.count});
        }
        longest = std::max(longest, cache.length() + part.count);
    }
    return longest;
}

void CpuOps::rotate(Matrix& queries, const AttentionShape& shape, const RotaryAngles& angles,
                    std::span<const SequenceRows> sequences, int layer)
{
    m_known.forget(queries);
    placeRows(sequences, layer);
    for (const SequenceRows& part : sequences)
        dequantizeCache(shape, part, layer);
    const std::int64_t dim = shape.head_dim;
    const std::int64_t half = shape.rotary_dim / 2;
    const auto rotateVectors = shape.interleaved ? rotatePairs : m_kernels.rotate;
    for (std::int64_t row = 0; row < queries.rows && half > 0; ++row) {
        const RowPlace& place = m_places[static_cast<std::size_t>(row)];
        const float* const cosines = angles.cosines.row(row);
        const float* const sines = angles.sines.row(row);
        rotateVectors(queries.row(row), shape.heads, dim, cosines, sines, half);
        if (shape.own_keys) {
            rotateVectors(place.keys + place.position * dim, shape.kv_heads, place.capacity * dim,
                          cosines, sines, half);
        }
    }
    for (const SequenceRows& part : sequences)
        keepInBlocks(shape, part, layer);
    for (std::int64_t row = 0; row < queries.rows && shape.query_growth != 0.0F; ++row) {
        const std::int64_t position = m_places[static_cast<std::size_t>(row)].position;
        m_kernels.scale(queries.row(row), shape.queryFactor(position), queries.columns);
    }
}

void CpuOps::rotateHeads(Matrix& x, int heads, const AttentionShape& shape,
                         const RotaryAngles& angles)
{
    m_known.forget(x);
    const auto rotateVectors = shape.interleaved ? rotatePairs : m_kernels.rotate;
    for (std::int64_t row = 0; row < x.rows; ++row) {
        rotateVectors(x.row(row), heads, shape.head_dim, angles.cosines.row(row),
                      angles.sines.row(row), angles.cosines.columns);
    }
}

void CpuOps::attendRow(const Matrix& queries, const AttentionShape& shape, std::int64_t head,
                       std::int64_t row, Matrix& out) const
{
    const std::int64_t dim = shape.head_dim;
    const std::int64_t width = shape.values();
    const RowPlace& stored = m_places[static_cast<std::size_t>(row)];
    const std::int64_t count = stored.end() - stored.begin(shape);
    const float* const values = stored.valuesOf(shape, head);
    thread_local std::vector<float> scores; // with room for the sink's score
    if (scores.size() < static_cast<std::size_t>(count + 1))
        scores.resize(static_cast<std::size_t>(std::max(2 * count, kMinScores)));
    scoreKeysOfHead(m_kernels, stored.keysOf(shape, head), dim, queries.row(row) + head * dim,
                    scores.data(), count);
    prefetch(values, std::min(count * width, kAskedValues));
    softmax(shape, head, count, scores.data());
    m_kernels.weightedSums(scores.data(), 0, 1, values, count, width, out.row(row) + head * width,
                           0);
}

// Adjacent rows of one sequence see almost the same keys, so their scores are a matmul of packed
// queries with the keys as weights. Scores that a row does not see are computed as well.
void CpuOps::attendRows(const Matrix& queries, const AttentionShape& shape, std::int64_t head,
                        const RowBlock& block, Matrix& out) const
{
    const std::int64_t dim = shape.head_dim;
    const auto placeOf = [&](std::int64_t i) -> const RowPlace& {
        return m_places[static_cast<std::size_t>(block.first + i)];
    };
    const std::int64_t width = shape.values();
    const std::int64_t begin = placeOf(0).begin(shape);
    const std::int64_t count = placeOf(block.count - 1).end() - begin;
    const std::int64_t stride = count + (shape.hasSinks() ? 1 : 0); // stride of the scores
    const std::int64_t panels = (block.count + m_kernels.panel_rows - 1) / m_kernels.panel_rows;
    const std::int64_t packed = panels * m_kernels.panel_rows * dim;
    const std::int64_t scratch = m_kernels.panelScratch(block.count);
    thread_local std::vector<float> memory;
    const auto needed = static_cast<std::size_t>(packed + scratch + block.count * stride);
    if (memory.size() < needed)
        memory.resize(needed);
    float* const sums = memory.data() + packed;
    float* const scores = sums + scratch; // [rows, stride]
    const float* const query = queries.row(block.first) + head * dim;
    for (std::int64_t panel = 0; panel < panels; ++panel)
        m_kernels.packPanel(query, queries.stride, block.count, dim, panel, memory.data());
    const WeightRows keys{.values = placeOf(0).keysOf(shape, head), .columns = dim};
    matmulsFor(m_kernels, DType::F32)
        .manyRows(keys, memory.data(), block.count, sums, scores, stride, 0, count);
    for (std::int64_t i = 0; i < block.count; ++i) {
        float* const row = scores + i * stride;
        const std::int64_t first = placeOf(i).begin(shape) - begin;
        const std::int64_t last = placeOf(i).end() - begin;
        std::fill(row, row + first, 0.0F);
        softmax(shape, head, last - first, row + first);
        std::fill(row + last, row + count, 0.0F);
    }
    m_kernels.weightedSums(scores, stride, block.count, placeOf(0).valuesOf(shape, head), count,
                           width, out.row(block.first) + head * width, out.stride);
}

void CpuOps::attention(Matrix& queries, const AttentionShape& shape, const RotaryAngles& angles,
                       std::span<const SequenceRows> sequences, int layer, Matrix& out)
{
    prepare(out, queries.rows, shape.heads * shape.values());
    rotate(queries, shape, angles, sequences, layer);
    m_blocks.clear();
    std::int64_t longest = 0;
    for (const SequenceRows& part : sequences) {
        const bool many =
            m_like == RowsLike::Many || (m_like == RowsLike::Usual && part.count >= kFewRows);
        const std::int64_t step = many ? kAttendedRows : 1;
        for (std::int64_t i = 0; i < part.count; i += step)
            m_blocks.push_back({.first = part.first + i, .count = std::min(step, part.count - i)});
        longest = std::max(longest, part.cache->length() + part.count);
    }
    const std::int64_t work =
        longest * shape.head_dim * m_blocks.front().count; // per head and block
    const std::int64_t grain = std::max<std::int64_t>(1, kSerialWork / work);
    const auto blocks = static_cast<std::int64_t>(m_blocks.size());
    m_pool->runRanges(blocks * shape.heads, grain, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t task = begin; task < end; ++task) {
            const RowBlock& block = m_blocks[static_cast<std::size_t>(task % blocks)];
            if (block.count == 1)
                attendRow(queries, shape, task / blocks, block.first, out);
            else
                attendRows(queries, shape, task / blocks, block, out);
        }
    });
    askForStats(out);
}

// scores = softmax(cap(scores * scale)); with a sink, there is one more score at the end
void CpuOps::softmax(const AttentionShape& shape, std::int64_t head, std::int64_t count,
                     float* scores) const
{
    if (shape.hasSinks()) { // models that have sinks do not cap
        m_kernels.scale(scores, shape.scale, count);
        scores[count] = shape.sinks.data[head];
        m_kernels.softmax(scores, count + 1, 1.0F);
        return;
    }
    if (shape.soft_cap > 0.0F) {
        m_kernels.softCap(scores, count, shape.scale, shape.soft_cap);
        m_kernels.softmax(scores, count, 1.0F);
    } else {
        m_kernels.softmax(scores, count, shape.scale);
    }
}

std::vector<float> CpuOps::attentionWeights(const Matrix& queries, const AttentionShape& shape,
                                            const SequenceRows& rows, std::int64_t row, int layer)
{
    const std::int64_t dim = shape.head_dim;
    const std::int64_t end = rows.cache->length() + row - rows.first + 1;
    const std::int64_t begin = shape.window ? std::max<std::int64_t>(0, end - *shape.window) : 0;
    const std::int64_t count = end - begin;
    std::vector<float> weights(static_cast<std::size_t>(shape.heads * count + 1));
    for (std::int64_t head = 0; head < shape.heads; ++head) {
        const std::int64_t group = head * shape.kv_heads / shape.heads;
        const float* const keys =
            rows.cache->layer(layer).key_data + (group * rows.cache->capacity() + begin) * dim;
        float* const scores = weights.data() + head * count;
        scoreKeysOfHead(m_kernels, keys, dim, queries.row(row) + head * dim, scores, count);
        softmax(shape, head, count, scores);
    }
    weights.pop_back(); // removes the sink's weight
    return weights;
}

std::string CpuOps::attentionImplementation(bool decomposed) const
{
    return std::string(decomposed ? "decomposed, " : "fused, ") + "own kernels (" + m_kernels.name
        + "), scores in f32";
}

// Keys and values stored in q8_0 blocks (kv_cache.h).

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
