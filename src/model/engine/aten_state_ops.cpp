// SPDX-License-Identifier: GPL-3.0-or-later
// The operations of AtenOps for mixers with a state, which are always computed in f32.
#include "aten_ops_impl.h"

#include <limits>
#include <vector>

namespace ep::model {
namespace {

constexpr std::int64_t kChunk = 64; // positions whose mutual effects are one matmul

// One sequence; all tensors in f32, [heads, rows, dim] or [heads, rows].
struct StateTensors {
    at::Tensor queries;
    at::Tensor keys;
    at::Tensor values;
    at::Tensor factors;
    at::Tensor decays;

    StateTensors rows(std::int64_t first, std::int64_t count) const
    {
        const auto part = [&](const at::Tensor& x) { return x.narrow(1, first, count); };
        return {part(queries), part(keys), part(values), part(factors), part(decays)};
    }
};

at::Tensor byHead(const at::Tensor& x, std::int64_t heads)
{
    return x.to(at::kFloat).reshape({x.size(0), heads, -1}).transpose(0, 1); // [heads, rows, dim]
}

// Repeats each value head's key head.
at::Tensor forValueHeads(const at::Tensor& x, const StateShape& shape)
{
    const std::int64_t share = shape.value_heads / shape.key_heads;
    if (share == 1)
        return x;
    return shape.tiled ? x.repeat({share, 1, 1}) : x.repeat_interleave(share, 0);
}

// Processes one position: state [heads, key_dim, value_dim], result [heads, 1, value_dim].
at::Tensor recurOnce(const StateTensors& in, const StateShape& shape, const at::Tensor& state)
{
    state.mul_(in.decays.unsqueeze(-1));
    const at::Tensor known = shape.delta ? in.values - at::bmm(in.keys, state) : in.values;
    state.add_(at::bmm(in.keys.transpose(1, 2), known * in.factors.unsqueeze(-1)));
    return at::bmm(in.queries, state);
}

// Solves (1 + lower) x = b for a strictly lower triangle, row by row.
at::Tensor solved(const at::Tensor& lower, const at::Tensor& b)
{
    at::Tensor x = b.clone();
    for (std::int64_t row = 1; row < b.size(1); ++row) {
        x.narrow(1, row, 1).sub_(
            at::bmm(lower.narrow(1, row, 1).narrow(2, 0, row), x.narrow(1, 0, row)));
    }
    return x;
}

// Computes how much of what an earlier position wrote is left at each position: the product of the
// decays in between, [heads, rows, rows]. Logarithms are added up for each pair, because
// differences of sums from the first position on would lose digits.
at::Tensor leftBetween(const at::Tensor& logs)
{
    const std::int64_t rows = logs.size(1);
    return logs.unsqueeze(2).expand({-1, rows, rows}).tril(-1).cumsum(1).exp().tril();
}

// Processes up to kChunk positions at once. What each writes decays until it is read.
at::Tensor recurChunk(const StateTensors& in, const StateShape& shape, const at::Tensor& state)
{
    const at::Tensor logs = in.decays.clamp_min(std::numeric_limits<float>::min()).log();
    const at::Tensor between = leftBetween(logs);
    const at::Tensor since = logs.cumsum(1).exp().unsqueeze(-1); // [heads, rows, 1], of the state
    at::Tensor written = in.values * in.factors.unsqueeze(-1); // [heads, rows, value_dim]
    if (shape.delta) {
        const at::Tensor keys = in.keys * in.factors.unsqueeze(-1);
        const at::Tensor known = at::bmm(keys, in.keys.transpose(1, 2)) * between;
        written = solved(known.tril(-1), written - at::bmm(keys * since, state));
    }
    const at::Tensor out = at::bmm(in.queries * since, state)
        + at::bmm(at::bmm(in.queries, in.keys.transpose(1, 2)) * between, written);
    const std::int64_t last = logs.size(1) - 1;
    state.mul_(since.narrow(1, last, 1));
    state.add_(at::bmm((in.keys * between.select(1, last).unsqueeze(-1)).transpose(1, 2), written));
    return out;
}

} // namespace

void AtenOps::pick(const Matrix& x, std::span<const ColumnRun> runs, Matrix& out)
{
    std::vector<at::Tensor> parts;
    for (const ColumnRun& run : runs)
        parts.push_back(x.tensor.narrow(1, run.begin, run.count));
    assign(out, at::cat(parts, 1));
}

void AtenOps::convolve(const Matrix& x, const Convolution& convolution,
                       std::span<const SequenceRows> sequences, int layer, Matrix& out)
{
    const at::Tensor weights = convolution.weights.tensor; // [taps, channels]
    std::vector<at::Tensor> parts;
    for (const SequenceRows& part : sequences) {
        const at::Tensor kept = part.cache->layer(layer).inputs; // [taps - 1, channels]
        const at::Tensor fresh = x.tensor.narrow(0, part.first, part.count);
        const at::Tensor all = kept.defined() ? at::cat({kept, fresh}, 0) : fresh;
        at::Tensor sum = all.narrow(0, 0, part.count) * weights.select(0, 0);
        for (std::int64_t j = 1; j < convolution.taps; ++j)
            sum = sum + all.narrow(0, j, part.count) * weights.select(0, j);
        parts.push_back(convolution.bias.tensor.defined() ? sum + convolution.bias.tensor : sum);
        if (kept.defined())
            kept.copy_(all.narrow(0, part.count, convolution.taps - 1));
    }
    assign(out, (parts.size() == 1 ? parts.front() : at::cat(parts, 0)).to(m_options.dtype()));
}

void AtenOps::decay(const Matrix& x, const StateDecay& by, Matrix& steps, Matrix& decays)
{
    const at::Tensor step = at::softplus(x.tensor.to(at::kFloat) + by.bias.tensor);
    assign(steps, step.clamp(by.least, by.most));
    assign(decays, (steps.tensor * by.rate.tensor).exp());
}

void AtenOps::recur(const StateInputs& inputs, const StateShape& shape,
                    std::span<const SequenceRows> sequences, int layer, Matrix& out)
{
    std::vector<at::Tensor> parts; // [rows of the sequence, value_heads * value_dim]
    for (const SequenceRows& part : sequences) {
        const auto rowsOf = [&](const Matrix& x) {
            return x.tensor.narrow(0, part.first, part.count);
        };
        const auto numbers = [&](const Matrix& x) { // [heads, rows]
            return rowsOf(x).to(at::kFloat).transpose(0, 1);
        };
        const StateTensors all{
            .queries = forValueHeads(byHead(rowsOf(inputs.queries), shape.key_heads), shape),
            .keys = forValueHeads(byHead(rowsOf(inputs.keys), shape.key_heads), shape),
            .values = byHead(rowsOf(inputs.values), shape.value_heads),
            .factors = numbers(inputs.factors),
            .decays = numbers(inputs.decays)};
        const at::Tensor state = part.cache->layer(layer).state;
        std::vector<at::Tensor> pieces;
        for (std::int64_t first = 0; first < part.count; first += kChunk) {
            const std::int64_t count = std::min(kChunk, part.count - first);
            const StateTensors piece = all.rows(first, count);
            pieces.push_back(count == 1 ? recurOnce(piece, shape, state)
                                        : recurChunk(piece, shape, state));
        }
        at::Tensor read = at::cat(pieces, 1); // [heads, rows, value_dim]
        if (shape.skip.tensor.defined())
            read = read + all.values * shape.skip.tensor.view({-1, 1, 1});
        parts.push_back(read.transpose(0, 1).reshape({part.count, -1}));
    }
    assign(out, (parts.size() == 1 ? parts.front() : at::cat(parts, 0)).to(m_options.dtype()));
}

} // namespace ep::model
