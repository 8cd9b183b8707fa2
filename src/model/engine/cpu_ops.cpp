// SPDX-License-Identifier: GPL-3.0-or-later
#include "cpu_ops.h"

#include "blas.h"
#include "cpu_ops_impl.h"
#include "value_stats.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

namespace ep::model {
namespace {

constexpr std::int64_t kSerialSums = 1 << 13; // below this, statistics are faster with one thread

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

} // namespace ep::model
