// SPDX-License-Identifier: GPL-3.0-or-later
// The operations of CpuOps for mixers with a state.
#include "cpu_ops_impl.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <vector>

namespace ep::model {
namespace {

// Columns of a state that a thread updates at a time; a multiple of every vector width.
constexpr std::int64_t kStateColumns = 64;

std::size_t bytesOfFloats(std::int64_t count)
{
    return static_cast<std::size_t>(count) * sizeof(float);
}

// Updates the last inputs that a state keeps: those it had, followed by the new rows.
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

} // namespace

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

} // namespace ep::model
