// SPDX-License-Identifier: GPL-3.0-or-later
// The operations of CpuOps that make up norms, activations and attention at depth `deep`.
#include "cpu_ops_impl.h"
#include "value_stats.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ep::model {
namespace {

constexpr std::int64_t kBlockScores = 1 << 22; // 16 MiB; a single row may need more

} // namespace

void CpuOps::means(const Matrix& x, std::int64_t groups, Matrix& out)
{
    prepare(out, x.rows, groups);
    const std::int64_t width = x.columns / groups;
    forEachRow(x.rows, x.columns, [&](std::int64_t row) {
        for (std::int64_t group = 0; group < groups; ++group)
            out.row(row)[group] = m_kernels.mean(x.row(row) + group * width, width);
    });
}

void CpuOps::variances(const Matrix& x, const Matrix* means, std::int64_t groups, Matrix& out)
{
    prepare(out, x.rows, groups);
    const std::int64_t width = x.columns / groups;
    forEachRow(x.rows, x.columns, [&](std::int64_t row) {
        for (std::int64_t group = 0; group < groups; ++group) {
            const float mean = means ? means->row(row)[group] : 0.0F;
            out.row(row)[group] = m_kernels.meanSquare(x.row(row) + group * width, mean, width);
        }
    });
}

void CpuOps::normalize(const Matrix& x, const Matrix* means, const Matrix& variances, float epsilon,
                       Matrix& out)
{
    if (&out != &x)
        out.resize(x.rows, x.columns);
    m_known.forget(out);
    const std::int64_t groups = variances.columns;
    const std::int64_t width = x.columns / groups;
    forEachRow(x.rows, x.columns, [&](std::int64_t row) {
        for (std::int64_t group = 0; group < groups; ++group) {
            const float mean = means ? means->row(row)[group] : 0.0F;
            const float factor = 1.0F / std::sqrt(variances.row(row)[group] + epsilon);
            m_kernels.normalize(x.row(row) + group * width, mean, factor,
                                out.row(row) + group * width, width);
        }
    });
}

void CpuOps::scaleShift(Matrix& x, const Norm& norm, std::int64_t groups)
{
    m_known.forget(x);
    const std::int64_t width = x.columns / groups;
    const std::int64_t step = norm.per_head ? width : 0; // stride of the weights
    forEachRow(x.rows, x.columns, [&](std::int64_t row) {
        for (std::int64_t group = 0; group < groups; ++group) {
            const float* const bias = norm.bias.data ? norm.bias.data + group * step : nullptr;
            m_kernels.scaleShift(x.row(row) + group * width, norm.weight.data + group * step, bias,
                                 width);
        }
    });
}

void CpuOps::multiply(const Matrix& x, const Matrix& y, Matrix& out)
{
    if (&out != &x && &out != &y)
        out.resize(x.rows, x.columns);
    m_known.forget(out);
    forEachRow(x.rows, x.columns, [&](std::int64_t row) {
        m_kernels.multiply(x.row(row), y.row(row), out.row(row), x.columns);
    });
}

std::int64_t CpuOps::blockRows(const AttentionShape& shape,
                               std::span<const SequenceRows> sequences) const
{
    std::int64_t longest = 1;
    for (const SequenceRows& part : sequences)
        longest = std::max(longest, part.cache->length() + part.count);
    return std::max<std::int64_t>(1, kBlockScores / (shape.heads * longest));
}

// Computes only visible scores; masked ones stay zero until the mask is applied.
void CpuOps::scoreKeys(const Matrix& queries, const AttentionShape& shape,
                       std::span<const SequenceRows> sequences, int layer, ScoreBlock& block)
{
    placeRows(sequences, layer);
    const std::int64_t last = block.first + block.count;
    std::int64_t columns = 0;
    block.hidden = false;
    for (const SequenceRows& part : sequences) {
        const std::int64_t begin = std::max(part.first, block.first);
        const std::int64_t end = std::min(part.first + part.count, last);
        if (begin >= end)
            continue;
        const std::int64_t base = m_places[static_cast<std::size_t>(begin)].begin(shape);
        const std::int64_t width = m_places[static_cast<std::size_t>(end - 1)].end() - base;
        for (std::int64_t row = begin; row < end; ++row) {
            RowPlace& place = m_places[static_cast<std::size_t>(row)];
            place.base = base;
            place.width = width;
            block.hidden = block.hidden || place.end() - place.begin(shape) < width;
        }
        block.hidden = block.hidden || (columns > 0 && columns != width);
        columns = std::max(columns, width);
    }
    block.scores.resize(block.count * shape.heads, columns);
    const std::int64_t dim = shape.head_dim;
    forEachHead(shape, block,
                [&](std::int64_t head, std::int64_t row, const RowPlace& place, float* scores) {
                    const std::int64_t begin = place.begin(shape);
                    std::fill_n(scores, begin - place.base, 0.0F);
                    scoreKeysOfHead(m_kernels, place.keysOf(shape, head), dim,
                                    queries.row(row) + head * dim, scores + begin - place.base,
                                    place.end() - begin);
                    std::fill(scores + place.end() - place.base, scores + columns, 0.0F);
                });
}

void CpuOps::scaleScores(const AttentionShape& shape, ScoreBlock& block)
{
    forEachHead(shape, block,
                [&](std::int64_t, std::int64_t, const RowPlace& place, float* scores) {
                    if (shape.soft_cap > 0.0F)
                        m_kernels.softCap(scores, place.width, shape.scale, shape.soft_cap);
                    else
                        m_kernels.scale(scores, shape.scale, place.width);
                });
}

void CpuOps::maskScores(const AttentionShape& shape, std::span<const SequenceRows> /*sequences*/,
                        ScoreBlock& block)
{
    if (!block.hidden)
        return;
    constexpr float kHidden = -std::numeric_limits<float>::infinity();
    const std::int64_t columns = block.scores.columns;
    forEachHead(shape, block,
                [&](std::int64_t, std::int64_t, const RowPlace& place, float* scores) {
                    std::fill_n(scores, place.begin(shape) - place.base, kHidden);
                    std::fill(scores + place.end() - place.base, scores + columns, kHidden);
                });
}

void CpuOps::softmaxScores(const AttentionShape& shape, ScoreBlock& block)
{
    const std::int64_t columns = block.scores.columns;
    if (m_threshold)
        m_headFigures.resize(static_cast<std::size_t>(block.scores.rows));
    forEachHead(shape, block,
                [&](std::int64_t head, std::int64_t row, const RowPlace& place, float* scores) {
                    const std::int64_t begin = place.begin(shape) - place.base;
                    const std::int64_t end = place.end() - place.base;
                    std::fill_n(scores, begin, 0.0F);
                    const bool asked = m_threshold && place.last;
                    const auto at =
                        static_cast<std::size_t>((row - block.first) * shape.heads + head);
                    if (shape.hasSinks()) {
                        const HeadWeights weights = softmaxWithSink(
                            shape.sinks.data[head], end - begin, scores + begin, m_threshold);
                        if (asked)
                            m_headFigures[at] = weights;
                    } else if (asked) {
                        m_headFigures[at] = {
                            m_kernels.softmaxFigures(scores + begin, end - begin, *m_threshold)};
                    } else {
                        m_kernels.softmax(scores + begin, end - begin, 1.0F);
                    }
                    std::fill(scores + end, scores + columns, 0.0F);
                });
}

// scores = softmax of the scores and the sink, without the sink's weight.
CpuOps::HeadWeights CpuOps::softmaxWithSink(float sink, std::int64_t count, float* scores,
                                            std::optional<float> threshold) const
{
    thread_local std::vector<float> all;
    all.assign(scores, scores + count);
    all.push_back(sink);
    HeadWeights weights;
    if (threshold)
        weights.figures = m_kernels.softmaxFigures(all.data(), count + 1, *threshold);
    else
        m_kernels.softmax(all.data(), count + 1, 1.0F);
    std::copy_n(all.data(), count, scores);
    if (!threshold)
        return weights;
    const float taken = all.back();
    WeightFigures& figures = weights.figures;
    figures.entropy += taken > 0.0F ? taken * std::log(taken) : 0.0F;
    figures.largest = m_kernels.maximum(scores, count);
    figures.square_sum -= taken * taken;
    figures.below -= taken < *threshold ? 1 : 0;
    weights.sum = 1.0F - taken;
    return weights;
}

void CpuOps::weighValues(const AttentionShape& shape, std::span<const SequenceRows> /*sequences*/,
                         int /*layer*/, const ScoreBlock& block, std::int64_t rows, Matrix& out)
{
    const std::int64_t width = shape.values();
    if (block.first == 0)
        out.resize(rows, shape.heads * width);
    m_known.forget(out);
    forEachHead(shape, block,
                [&](std::int64_t head, std::int64_t row, const RowPlace& place, float* scores) {
                    const std::int64_t begin = place.begin(shape);
                    m_kernels.weightedSums(scores + begin - place.base, 0, 1,
                                           place.valuesOf(shape, head), place.end() - begin, width,
                                           out.row(row) + head * width, 0);
                });
}

void CpuOps::headFigures(const AttentionShape& shape, std::span<const SequenceRows> sequences,
                         const ScoreBlock& block, HeadFigures& out)
{
    if (!m_threshold) {
        out = {};
        return;
    }
    const auto heads = static_cast<std::size_t>(shape.heads);
    out.entropy.assign(heads, 0.0F);
    out.largest.assign(heads, 0.0F);
    out.sparsity.assign(heads, 0.0F);
    std::size_t found = 0;
    ValueSums sums;
    for (const SequenceRows& part : sequences) {
        const std::int64_t row = part.first + part.count - 1;
        if (row < block.first || row >= block.first + block.count)
            continue;
        ++found;
        const RowPlace& place = m_places[static_cast<std::size_t>(row)];
        const std::int64_t count = place.end() - place.begin(shape);
        const auto first = static_cast<std::size_t>((row - block.first) * shape.heads);
        for (std::size_t head = 0; head < heads; ++head) {
            const WeightFigures& figures = m_headFigures[first + head].figures;
            const auto weight = static_cast<double>(m_headFigures[first + head].sum);
            out.entropy[head] += figures.entropy;
            out.largest[head] += figures.largest;
            out.sparsity[head] += static_cast<float>(figures.below) / static_cast<float>(count);
            sums += {.abs_sum = weight,
                     .shifted_sum = weight,
                     .shifted_square_sum = static_cast<double>(figures.square_sum),
                     .max_abs = figures.largest,
                     .below = figures.below,
                     .count = count};
        }
    }
    if (found == 0) {
        out = {};
        return;
    }
    const float share = 1.0F / static_cast<float>(found);
    for (auto* const values : {&out.entropy, &out.largest, &out.sparsity}) {
        for (float& value : *values)
            value *= share;
    }
    out.stats = statsOf(sums);
}

} // namespace ep::model
