// SPDX-License-Identifier: GPL-3.0-or-later
#include "cpu_ops.h"

#include "blas.h"
#include "cpu_ops_impl.h"
#include "value_stats.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace ep::model {
namespace {

constexpr std::int64_t kSerialSums = 1 << 13; // below this, statistics are faster with one thread

// Columns of a state that a thread updates at a time; a multiple of every vector width.
constexpr std::int64_t kStateColumns = 64;

std::size_t bytesOfFloats(std::int64_t count)
{
    return static_cast<std::size_t>(count) * sizeof(float);
}

// Updates the last inputs that a state keeps: the old ones, followed by the new rows.
void keepInputs(float* kept, std::int64_t inputs, const Matrix& x, const SequenceRows& part)
{
    const std::int64_t fresh = std::min(inputs, part.count);
    std::memmove(kept, kept + fresh * x.columns, bytesOfFloats((inputs - fresh) * x.columns));
    for (std::int64_t i = 0; i < fresh; ++i) {
        std::memcpy(kept + (inputs - fresh + i) * x.columns,
                    x.row(part.first + part.count - fresh + i), bytesOfFloats(x.columns));
    }
}

// For larger x, softplus(x) equals x in f32.
float softplus(float x)
{
    constexpr float kLinear = 20.0F;
    return x > kLinear ? x : std::log1p(std::exp(x));
}

constexpr std::int64_t kBlockScores = 1 << 22; // 16 MiB; a single row may need more

} // namespace

CpuOps::CpuOps(std::shared_ptr<ThreadPool> pool, KernelChoice choice)
    : m_pool(std::move(pool))
    , m_choice(std::move(choice))
    , m_dividesMatmuls(dividesMatmuls())
    , m_kernels(kernels())
{
}

// Makes room for an output that will be written.
void CpuOps::prepare(Matrix& out, std::int64_t rows, std::int64_t columns)
{
    out.resize(rows, columns);
    m_known.forget(out);
}

void CpuOps::scale(Matrix& x, float factor)
{
    m_known.forget(x);
    forEachRow(x.rows, x.columns, [&](std::int64_t row) {
        float* const values = x.row(row);
        for (std::int64_t i = 0; i < x.columns; ++i)
            values[i] *= factor;
    });
}

void CpuOps::angles(const Rope& rope, std::span<const RotaryRows> rows, RotaryAngles& out)
{
    std::int64_t total = 0;
    for (const RotaryRows& part : rows)
        total += part.count;
    prepare(out.cosines, total, rope.pairs());
    prepare(out.sines, total, rope.pairs());
    std::int64_t row = 0;
    for (const RotaryRows& part : rows) {
        rope.angles(part.position, part.count, out.cosines.row(row), out.sines.row(row));
        row += part.count;
    }
}

// Statistics of x follow, and much of x is in other cores' caches: prefetches it while the span is
// being closed.
void CpuOps::askForStats(const Matrix& x) const
{
    constexpr std::int64_t kMax = 1024; // beyond this, the hardware prefetcher keeps up
    if (m_threshold)
        prefetch(x.data, std::min(x.columns, kMax));
}

void CpuOps::norm(const Matrix& x, const Norm& norm, Matrix& out)
{
    prepare(out, x.rows, x.columns);
    forEachRow(x.rows, x.columns, [&](std::int64_t row) {
        if (norm.kind == NormKind::Rms) {
            m_kernels.rmsNorm(x.row(row), norm.weight.data, norm.epsilon, out.row(row), x.columns);
        } else {
            m_kernels.layerNorm(x.row(row), norm.weight.data, norm.bias.data, norm.epsilon,
                                out.row(row), x.columns);
        }
    });
}

void CpuOps::normHeads(Matrix& x, const Norm& norm, std::int64_t heads)
{
    m_known.forget(x);
    const std::int64_t dim = x.columns / heads;
    const std::int64_t step = norm.per_head ? dim : 0; // stride of the weights
    forEachRow(x.rows, x.columns, [&](std::int64_t row) {
        for (std::int64_t head = 0; head < heads; ++head) {
            float* const values = x.row(row) + head * dim;
            const float* const weight = norm.weight.data + head * step;
            if (norm.kind == NormKind::Rms) {
                m_kernels.rmsNorm(values, weight, norm.epsilon, values, dim);
                continue;
            }
            const float* const bias = norm.bias.data ? norm.bias.data + head * step : nullptr;
            m_kernels.layerNorm(values, weight, bias, norm.epsilon, values, dim);
        }
    });
}

void CpuOps::add(Matrix& x, const Matrix& y)
{
    m_known.forget(x);
    forEachRow(x.rows, x.columns,
               [&](std::int64_t row) { m_kernels.add(x.row(row), y.row(row), x.columns); });
}

void CpuOps::activate(Activation kind, const Matrix& x, const Matrix* multiplier, Matrix& out)
{
    if (&out != &x && &out != multiplier)
        out.resize(x.rows, x.columns);
    m_known.forget(out);
    forEachRow(x.rows, x.columns, [&](std::int64_t row) {
        m_kernels.activate(kind, x.row(row), multiplier ? multiplier->row(row) : nullptr,
                           out.row(row), x.columns);
    });
}

void CpuOps::softCap(Matrix& x, float cap)
{
    m_known.forget(x);
    forEachRow(x.rows, x.columns,
               [&](std::int64_t row) { m_kernels.softCap(x.row(row), x.columns, 1.0F, cap); });
}

void CpuOps::splitPairs(const Matrix& x, Matrix& even, Matrix& odd)
{
    const std::int64_t half = x.columns / 2;
    prepare(even, x.rows, half);
    prepare(odd, x.rows, half);
    forEachRow(x.rows, x.columns, [&](std::int64_t row) {
        const float* const from = x.row(row);
        float* const first = even.row(row);
        float* const second = odd.row(row);
        for (std::int64_t i = 0; i < half; ++i) {
            first[i] = from[2 * i];
            second[i] = from[2 * i + 1];
        }
    });
}

void CpuOps::clamp(Matrix& x, float limit)
{
    m_known.forget(x);
    forEachRow(x.rows, x.columns, [&](std::int64_t row) {
        float* const values = x.row(row);
        for (std::int64_t i = 0; i < x.columns; ++i)
            values[i] = std::clamp(values[i], -limit, limit);
    });
}

void CpuOps::clampGates(Matrix& gate, Matrix& up, float limit)
{
    m_known.forget(gate);
    m_known.forget(up);
    forEachRow(gate.rows, gate.columns, [&](std::int64_t row) {
        float* const gates = gate.row(row);
        float* const ups = up.row(row);
        for (std::int64_t i = 0; i < gate.columns; ++i) {
            gates[i] = std::min(gates[i], limit);
            ups[i] = std::clamp(ups[i], -limit, limit) + 1.0F;
        }
    });
}

void CpuOps::place(const Matrix& x, Matrix& out, std::int64_t column)
{
    m_known.forget(out);
    for (std::int64_t row = 0; row < x.rows; ++row)
        std::copy_n(x.row(row), x.columns, out.row(row) + column);
}

void CpuOps::room(const Matrix& like, std::int64_t columns, Matrix& out)
{
    prepare(out, like.rows, columns);
}

void CpuOps::store(const Matrix& keys, const Matrix& values, const AttentionShape& shape,
                   std::span<const SequenceRows> sequences, int layer)
{
    const std::int64_t dim = shape.head_dim;
    const std::int64_t width = shape.values();
    for (const SequenceRows& rows : sequences) {
        const KvCache& cache = *rows.cache;
        const KvCache::Layer& target = cache.layer(layer);
        for (std::int64_t i = 0; i < rows.count; ++i) {
            for (std::int64_t head = 0; head < shape.kv_heads; ++head) {
                const std::int64_t place = head * cache.capacity() + cache.length() + i;
                std::copy_n(keys.row(rows.first + i) + head * dim, dim,
                            target.key_data + place * dim);
                std::copy_n(values.row(rows.first + i) + head * width, width,
                            target.value_data + place * width);
            }
        }
    }
}

Matrix CpuOps::lastRow(const Matrix& x)
{
    Matrix row;
    row.rows = 1;
    row.columns = x.columns;
    row.stride = x.stride;
    row.data = x.row(x.rows - 1);
    return row;
}

void CpuOps::gather(const Matrix& x, std::span<const std::int64_t> rows, Matrix& out)
{
    prepare(out, static_cast<std::int64_t>(rows.size()), x.columns);
    std::int64_t to = 0;
    for (const std::int64_t from : rows)
        std::memcpy(out.row(to++), x.row(from),
                    static_cast<std::size_t>(x.columns) * sizeof(float));
}

void CpuOps::clear(const Matrix& like, Matrix& out)
{
    prepare(out, like.rows, like.columns);
    std::fill_n(out.data, out.rows * out.columns, 0.0F);
}

void CpuOps::addRows(const Matrix& x, std::span<const std::int64_t> rows,
                     std::span<const float> factors, Matrix& out)
{
    m_known.forget(out);
    forEachRow(x.rows, x.columns, [&](std::int64_t row) {
        const float* const from = x.row(row);
        float* const to = out.row(rows[static_cast<std::size_t>(row)]);
        const float factor = factors[static_cast<std::size_t>(row)];
        for (std::int64_t i = 0; i < x.columns; ++i)
            to[i] += factor * from[i];
    });
}

std::span<const float> CpuOps::host(const Matrix& x, std::int64_t row)
{
    return {x.row(row), static_cast<std::size_t>(x.columns)};
}

void CpuOps::expectStats(std::optional<float> threshold)
{
    m_threshold = threshold;
    m_known.clear();
}

ActivationStats CpuOps::stats(const Matrix& x, float threshold)
{
    if (const ActivationStats* const known = m_known.find(x, threshold))
        return *known;
    const ActivationStats stats = statsOf(sumsOf(x, threshold));
    m_known.keep(x, threshold, stats);
    return stats;
}

ValueSums CpuOps::sumsOf(const Matrix& x, float threshold)
{
    const std::int64_t sampled = std::min(x.rows, kSampledRows);
    const bool whole = sampled == x.rows && x.stride == x.columns; // the values form one row
    const std::int64_t rows = whole ? 1 : sampled;
    const std::int64_t columns = whole ? x.rows * x.columns : x.columns;
    const float shift = *x.data;
    const auto add = [&](std::int64_t begin, std::int64_t count, ValueSums& sums) {
        for (std::int64_t i = 0; i < rows; ++i) {
            const float* const row = whole ? x.data : x.row(sampledRow(i, sampled, x.rows));
            m_kernels.accumulate(row + begin, count, threshold, shift, sums);
        }
    };
    ValueSums sums;
    if (rows * columns <= kSerialSums) {
        add(0, columns, sums);
        return sums;
    }
    const std::int64_t width = (columns + m_pool->threads() - 1) / m_pool->threads();
    m_partSums.assign(static_cast<std::size_t>(m_pool->threads()), {});
    m_pool->runRanges(columns, width, 1, [&](std::int64_t begin, std::int64_t end) {
        add(begin, end - begin, m_partSums[static_cast<std::size_t>(begin / width)]);
    });
    for (const ValueSums& part : m_partSums)
        sums += part;
    return sums;
}

std::int64_t CpuOps::count(const Matrix& x) const
{
    return x.rows * x.columns;
}

double CpuOps::negativeFraction(const Matrix& x)
{
    std::int64_t negative = 0;
    for (std::int64_t row = 0; row < x.rows; ++row)
        negative += m_kernels.countNegative(x.row(row), x.columns);
    return static_cast<double>(negative) / static_cast<double>(x.rows * x.columns);
}

at::TensorOptions CpuOps::cacheOptions() const
{
    return at::TensorOptions(at::kFloat);
}

// The operations of CpuOps for mixers with a state.

void CpuOps::pick(const Matrix& x, std::span<const ColumnRun> runs, Matrix& out)
{
    std::int64_t columns = 0;
    for (const ColumnRun& run : runs)
        columns += run.count;
    prepare(out, x.rows, columns);
    forEachRow(x.rows, columns, [&](std::int64_t row) {
        float* to = out.row(row);
        for (const ColumnRun& run : runs) {
            std::memcpy(to, x.row(row) + run.begin, bytesOfFloats(run.count));
            to += run.count;
        }
    });
}

void CpuOps::convolve(const Matrix& x, const Convolution& convolution,
                      std::span<const SequenceRows> sequences, int layer, Matrix& out)
{
    prepare(out, x.rows, x.columns);
    const std::int64_t inputs = convolution.taps - 1;
    for (const SequenceRows& part : sequences) {
        float* const kept = part.cache->layer(layer).input_data;
        forEachRow(part.count, x.columns * convolution.taps, [&](std::int64_t row) {
            constexpr std::int64_t kMaxTaps = 64; // config.h limits it
            const float* taps[kMaxTaps];
            for (std::int64_t j = 0; j <= inputs; ++j) {
                const std::int64_t at = row - inputs + j;
                taps[j] = at < 0 ? kept + (inputs + at) * x.columns : x.row(part.first + at);
            }
            m_kernels.convolve(taps, convolution.taps, convolution.weights.data,
                               convolution.bias.data, out.row(part.first + row), x.columns);
        });
        if (inputs > 0)
            keepInputs(kept, inputs, x, part);
    }
}

void CpuOps::decay(const Matrix& x, const StateDecay& by, Matrix& steps, Matrix& decays)
{
    prepare(steps, x.rows, x.columns);
    prepare(decays, x.rows, x.columns);
    forEachRow(x.rows, x.columns, [&](std::int64_t row) {
        for (std::int64_t head = 0; head < x.columns; ++head) {
            const float step =
                std::clamp(softplus(x.row(row)[head] + by.bias.data[head]), by.least, by.most);
            steps.row(row)[head] = step;
            decays.row(row)[head] = std::exp(step * by.rate.data[head]);
        }
    });
}

void CpuOps::recur(const StateInputs& inputs, const StateShape& shape,
                   std::span<const SequenceRows> sequences, int layer, Matrix& out)
{
    prepare(out, inputs.values.rows, shape.value_heads * shape.value_dim);
    const std::int64_t pieces = (shape.value_dim + kStateColumns - 1) / kStateColumns;
    for (const SequenceRows& part : sequences) {
        float* const states = part.cache->layer(layer).state_data;
        const std::int64_t work =
            part.count * shape.key_dim * std::min(kStateColumns, shape.value_dim);
        const std::int64_t grain = std::max<std::int64_t>(1, kSerialWork / work);
        m_pool->runRanges(
            shape.value_heads * pieces, grain, 1, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t task = begin; task < end; ++task) {
                    const std::int64_t head = task / pieces;
                    const std::int64_t column = task % pieces * kStateColumns;
                    const std::int64_t key = shape.keyHeadOf(head) * shape.key_dim;
                    const RecurrentRows rows{.queries = inputs.queries.row(part.first) + key,
                                             .keys = inputs.keys.row(part.first) + key,
                                             .key_stride = inputs.keys.stride,
                                             .values = inputs.values.row(part.first)
                                                 + head * shape.value_dim,
                                             .value_stride = inputs.values.stride,
                                             .factors = inputs.factors.row(part.first) + head,
                                             .factor_stride = inputs.factors.stride,
                                             .decays = inputs.decays.row(part.first) + head,
                                             .decay_stride = inputs.decays.stride,
                                             .out = out.row(part.first) + head * shape.value_dim,
                                             .out_stride = out.stride,
                                             .rows = part.count,
                                             .key_dim = shape.key_dim,
                                             .value_dim = shape.value_dim,
                                             .skip = shape.skip.data ? shape.skip.data[head] : 0.0F,
                                             .delta = shape.delta};
                    m_kernels.recur(rows, states + head * shape.key_dim * shape.value_dim, column,
                                    std::min(shape.value_dim, column + kStateColumns));
                }
            });
    }
}

// The operations of CpuOps that make up norms, activations and attention at depth `deep`.

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
