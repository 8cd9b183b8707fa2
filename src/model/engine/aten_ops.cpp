// SPDX-License-Identifier: GPL-3.0-or-later
#include "aten_ops.h"

#include "aten_functions.h"
#include "dequantization.h"
#include "gpu/gpu_fused.h"
#include "gpu/gpu_matmul.h"
#include "torch_compat.h"
#include "value_stats.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

namespace ep::model {
namespace {

void assign(Matrix& out, at::Tensor tensor)
{
    out.rows = tensor.size(0);
    out.columns = tensor.size(1);
    out.tensor = std::move(tensor);
}

// Minus infinity for masked keys, [rows, keys]; undefined if every key is visible.
at::Tensor attentionMask(std::int64_t first, std::int64_t rows, std::optional<int> window,
                         const at::TensorOptions& options)
{
    const std::int64_t keys = first + rows;
    if (rows == 1 && (!window || keys <= *window))
        return {};
    const at::TensorOptions integers = at::TensorOptions(at::kLong).device(options.device());
    const at::Tensor row = at::arange(first, keys, integers).unsqueeze(1); // [rows, 1]
    const at::Tensor key = at::arange(0, keys, integers).unsqueeze(0); // [1, keys]
    at::Tensor hidden = key.gt(row);
    if (window)
        hidden = hidden.logical_or(key.le(row - *window));
    return at::zeros({rows, keys}, options.dtype(at::kFloat))
        .masked_fill_(hidden, -std::numeric_limits<float>::infinity());
}

// Softmax of scores [kv_heads, group, rows, keys] in f32; a sink takes a share of the weight.
at::Tensor softmaxOf(const at::Tensor& scores, const AttentionShape& shape)
{
    if (!shape.hasSinks())
        return at::softmax(scores, -1);
    const at::Tensor sinks = shape.sinks.tensor.to(at::kFloat)
                                 .view({shape.kv_heads, -1, 1, 1})
                                 .expand({-1, -1, scores.size(2), 1});
    return at::softmax(at::cat({scores, sinks}, 3), -1).narrow(3, 0, scores.size(3)).contiguous();
}

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

// Processes up to kChunk positions at once. The value that a position writes decays until it is
// read.
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

at::Tensor grouped(const at::Tensor& x, std::int64_t groups)
{
    return x.to(at::kFloat).reshape({x.size(0), groups, x.size(1) / groups});
}

} // namespace

AtenOps::AtenOps(at::Device device, at::ScalarType type, bool defer)
    : m_options(at::TensorOptions(type).device(device))
    , m_type(type)
    , m_defer(defer)
{
}

void AtenOps::embed(const Weight& table, std::span<const text::TokenId> ids, Matrix& out)
{
    const std::vector<std::int64_t> wide(ids.begin(), ids.end());
    const at::Tensor indices = at::tensor(wide, at::kLong).to(m_options.device());
    if (isPlain(table.dtype))
        return assign(out, at::embedding(table.tensor, indices).to(m_type));
    const Weight rows = rowsOf(table, indices);
    const auto done = m_matmul ? m_matmul->dequantized(rows) : std::optional<at::Tensor>();
    assign(out, done ? *done : dequantized(rows, m_type));
}

// Like HuggingFace: the factor has the type of the activations.
void AtenOps::scale(Matrix& x, float factor)
{
    x.tensor = x.tensor * at::full({}, factor, m_options);
}

void AtenOps::angles(const Rope& rope, std::span<const RotaryRows> rows, RotaryAngles& out)
{
    std::int64_t total = 0;
    for (const RotaryRows& part : rows)
        total += part.count;
    const std::int64_t half = rope.pairs();
    const at::Tensor cosines = at::empty({total, half}, at::kFloat);
    const at::Tensor sines = at::empty({total, half}, at::kFloat);
    std::int64_t place = 0;
    for (const RotaryRows& part : rows) {
        rope.angles(part.position, part.count, cosines.data_ptr<float>() + place,
                    sines.data_ptr<float>() + place);
        place += part.count * half;
    }
    assign(out.cosines, cosines.to(m_options));
    assign(out.sines, sines.to(m_options));
}

void AtenOps::linear(const Matrix& x, const Linear& layer, Matrix& out)
{
    if (isPlain(layer.weight.dtype))
        return assign(out, linearOf(x.tensor, layer));
    const auto result = m_matmul ? m_matmul->linear(x.tensor, layer) : std::optional<at::Tensor>();
    assign(out, result ? *result : linearOfDequantized(x.tensor, layer));
}

void AtenOps::norm(const Matrix& x, const Norm& norm, Matrix& out)
{
    const auto done = m_fused ? m_fused->norm(x.tensor, norm, 1) : std::optional<at::Tensor>();
    assign(out, done ? *done : normOf(x.tensor, norm, m_type));
}

void AtenOps::normHeads(Matrix& x, const Norm& norm, std::int64_t heads)
{
    const auto done = m_fused ? m_fused->norm(x.tensor, norm, heads) : std::optional<at::Tensor>();
    assign(x, done ? *done : normOfHeads(x.tensor, norm, heads, m_type));
}

void AtenOps::add(Matrix& x, const Matrix& y)
{
    x.tensor = x.tensor + y.tensor;
}

void AtenOps::activate(Activation kind, const Matrix& x, const Matrix* multiplier, Matrix& out)
{
    if (m_fused && multiplier) {
        if (const auto done = m_fused->gate(kind, x.tensor, multiplier->tensor))
            return assign(out, *done);
    }
    const at::Tensor value = activationOf(kind, x.tensor);
    assign(out, multiplier ? value * multiplier->tensor : value);
}

void AtenOps::softCap(Matrix& x, float cap)
{
    x.tensor = at::tanh(x.tensor / cap) * cap;
}

void AtenOps::splitPairs(const Matrix& x, Matrix& even, Matrix& odd)
{
    const at::Tensor pairs = x.tensor.view({x.tensor.size(0), -1, 2});
    assign(even, pairs.select(2, 0).contiguous());
    assign(odd, pairs.select(2, 1).contiguous());
}

void AtenOps::clamp(Matrix& x, float limit)
{
    x.tensor = x.tensor.clamp(-limit, limit);
}

void AtenOps::clampGates(Matrix& gate, Matrix& up, float limit)
{
    gate.tensor = gate.tensor.clamp_max(limit);
    up.tensor = up.tensor.clamp(-limit, limit) + 1.0;
}

void AtenOps::place(const Matrix& x, Matrix& out, std::int64_t column)
{
    out.tensor.narrow(1, column, x.tensor.size(1)).copy_(x.tensor);
}

void AtenOps::room(const Matrix& like, std::int64_t columns, Matrix& out)
{
    assign(out, at::empty({like.tensor.size(0), columns}, m_options));
}

Matrix AtenOps::lastRow(const Matrix& x)
{
    Matrix row;
    assign(row, x.tensor.narrow(0, x.tensor.size(0) - 1, 1));
    return row;
}

void AtenOps::gather(const Matrix& x, std::span<const std::int64_t> rows, Matrix& out)
{
    const at::Tensor index =
        at::tensor(std::vector<std::int64_t>(rows.begin(), rows.end()), at::kLong)
            .to(m_options.device());
    assign(out, x.tensor.index_select(0, index));
}

void AtenOps::clear(const Matrix& like, Matrix& out)
{
    assign(out, at::zeros_like(like.tensor));
}

void AtenOps::addRows(const Matrix& x, std::span<const std::int64_t> rows,
                      std::span<const float> factors, Matrix& out)
{
    const at::Tensor index =
        at::tensor(std::vector<std::int64_t>(rows.begin(), rows.end()), at::kLong)
            .to(m_options.device());
    const at::Tensor weights = at::tensor(std::vector<float>(factors.begin(), factors.end()))
                                   .to(m_options)
                                   .unsqueeze(1); // [rows, 1]
    out.tensor.index_add_(0, index, x.tensor * weights);
}

std::span<const float> AtenOps::host(const Matrix& x, std::int64_t row)
{
    m_hostRow = x.tensor.select(0, row).to(at::kCPU, at::kFloat).contiguous();
    return {m_hostRow.data_ptr<float>(), static_cast<std::size_t>(m_hostRow.numel())};
}

at::Tensor AtenOps::sampled(const Matrix& x) const
{
    const std::int64_t rows = x.tensor.size(0);
    if (rows <= kSampledRows)
        return x.tensor;
    std::vector<std::int64_t> chosen;
    for (std::int64_t i = 0; i < kSampledRows; ++i)
        chosen.push_back(sampledRow(i, kSampledRows, rows));
    const at::Tensor index = at::tensor(chosen, at::kLong).to(m_options.device());
    return x.tensor.index_select(0, index);
}

ActivationStats AtenOps::stats(const Matrix& x, float threshold)
{
    const at::Tensor values = sampled(x).to(at::kCPU, at::kFloat).contiguous();
    const float* const data = values.data_ptr<float>();
    ValueSums sums;
    kernels().accumulate(data, values.numel(), threshold, *data, sums);
    return statsOf(sums);
}

bool AtenOps::deferStats(const Matrix& x, float threshold)
{
    if (!m_defer)
        return false;
    const at::Tensor values = sampled(x);
    if (m_fused) {
        const at::Tensor out = at::empty({4}, m_options.dtype(at::kFloat));
        if (m_fused->statistics(values, threshold, out)) {
            m_deferred.push_back(out);
            return true;
        }
    }
    m_deferred.push_back(statisticsOf(values, threshold));
    return true;
}

void AtenOps::takeDeferred(std::vector<ActivationStats>& out)
{
    out.clear();
    if (m_deferred.empty())
        return;
    const at::Tensor all = at::stack(m_deferred).to(at::kCPU).contiguous(); // [count, 4]
    m_deferred.clear();
    const float* const data = all.data_ptr<float>();
    for (std::int64_t i = 0; i < all.size(0); ++i) {
        const float* const one = data + 4 * i;
        out.push_back({.mean_abs = one[0], .std = one[1], .max_abs = one[2], .sparsity = one[3]});
    }
}

std::int64_t AtenOps::count(const Matrix& x) const
{
    return x.tensor.numel();
}

double AtenOps::negativeFraction(const Matrix& x)
{
    return x.tensor.lt(0).to(at::kFloat).mean().item<double>();
}

at::TensorOptions AtenOps::cacheOptions() const
{
    return m_options;
}

// The operations of AtenOps for mixers with a state, which are always computed in f32.

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

// The operations of AtenOps that make up norms, activations and attention at depth `deep`.

void AtenOps::means(const Matrix& x, std::int64_t groups, Matrix& out)
{
    assign(out, grouped(x.tensor, groups).mean(-1));
}

void AtenOps::variances(const Matrix& x, const Matrix* means, std::int64_t groups, Matrix& out)
{
    const at::Tensor values = grouped(x.tensor, groups);
    const at::Tensor centred = means ? values - means->tensor.unsqueeze(-1) : values;
    assign(out, centred.pow(2).mean(-1));
}

// Keeps f32 until the weights are applied.
void AtenOps::normalize(const Matrix& x, const Matrix* means, const Matrix& variances,
                        float epsilon, Matrix& out)
{
    const at::Tensor values = grouped(x.tensor, variances.tensor.size(1));
    const at::Tensor centred = means ? values - means->tensor.unsqueeze(-1) : values;
    assign(out,
           (centred * at::rsqrt(variances.tensor + epsilon).unsqueeze(-1))
               .reshape({x.tensor.size(0), x.tensor.size(1)}));
}

// Rounds at the same steps as norm().
void AtenOps::scaleShift(Matrix& x, const Norm& norm, std::int64_t groups)
{
    const std::int64_t rows = x.tensor.size(0);
    const std::int64_t columns = x.tensor.size(1);
    const at::Tensor values = x.tensor.view({rows, groups, columns / groups});
    const auto shaped = [&](const at::Tensor& weight) {
        return norm.per_head ? weight.view({groups, columns / groups}) : weight;
    };
    at::Tensor result;
    if (norm.kind == NormKind::Layer) {
        result = values * shaped(norm.weight.tensor).to(at::kFloat);
        if (norm.bias.tensor.defined())
            result = result + shaped(norm.bias.tensor).to(at::kFloat);
    } else if (norm.weight.tensor.scalar_type() == at::kFloat) {
        result = values * shaped(norm.weight.tensor);
    } else {
        result = values.to(m_options.dtype()) * shaped(norm.weight.tensor);
    }
    assign(x, result.to(m_options.dtype()).reshape({rows, columns}));
}

void AtenOps::multiply(const Matrix& x, const Matrix& y, Matrix& out)
{
    assign(out, x.tensor * y.tensor);
}

std::int64_t AtenOps::blockRows(const AttentionShape& /*shape*/,
                                std::span<const SequenceRows> sequences) const
{
    return sequences.back().first + sequences.back().count;
}

void AtenOps::scoreKeys(const Matrix& queries, const AttentionShape& shape,
                        std::span<const SequenceRows> sequences, int layer, ScoreBlock& block)
{
    const std::int64_t group = shape.heads / shape.kv_heads;
    block.parts.clear();
    block.hidden = false;
    for (const SequenceRows& part : sequences) {
        const std::int64_t total = part.cache->length() + part.count;
        const at::Tensor q = queries.tensor.narrow(0, part.first, part.count)
                                 .reshape({part.count, shape.heads, shape.head_dim})
                                 .transpose(0, 1)
                                 .reshape({shape.kv_heads, group * part.count, shape.head_dim});
        const at::Tensor k = part.cache->layer(layer).keys.narrow(1, 0, total);
        block.parts.push_back(
            at::bmm(q, k.transpose(1, 2)).view({shape.kv_heads, group, part.count, total}));
        block.hidden = block.hidden || part.count > 1 || (shape.window && total > *shape.window);
    }
    const at::Tensor& first = block.parts.front();
    assign(block.scores, first.reshape({-1, first.size(3)}));
}

void AtenOps::scaleScores(const AttentionShape& shape, ScoreBlock& block)
{
    for (at::Tensor& part : block.parts) {
        part = part * shape.scale;
        if (shape.soft_cap > 0.0F)
            part = at::tanh(part / shape.soft_cap) * shape.soft_cap;
        part = part.to(at::kFloat);
    }
    assign(block.scores, block.parts.front().reshape({-1, block.parts.front().size(3)}));
}

void AtenOps::maskScores(const AttentionShape& shape, std::span<const SequenceRows> sequences,
                         ScoreBlock& block)
{
    for (std::size_t i = 0; i < block.parts.size(); ++i) {
        const at::Tensor hidden = attentionMask(sequences[i].cache->length(), sequences[i].count,
                                                shape.window, m_options);
        if (hidden.defined())
            block.parts[i] = block.parts[i] + hidden;
    }
}

void AtenOps::softmaxScores(const AttentionShape& shape, ScoreBlock& block)
{
    for (at::Tensor& part : block.parts)
        part = softmaxOf(part, shape).to(m_options.dtype());
    assign(block.scores, block.parts.front().reshape({-1, block.parts.front().size(3)}));
}

void AtenOps::weighValues(const AttentionShape& shape, std::span<const SequenceRows> sequences,
                          int layer, const ScoreBlock& block, std::int64_t /*rows*/, Matrix& out)
{
    const std::int64_t group = shape.heads / shape.kv_heads;
    const std::int64_t dim = shape.values();
    std::vector<at::Tensor> parts; // [rows of the sequence, heads * head_dim]
    for (std::size_t i = 0; i < block.parts.size(); ++i) {
        const std::int64_t rows = sequences[i].count;
        const std::int64_t total = sequences[i].cache->length() + rows;
        const at::Tensor v = sequences[i].cache->layer(layer).values.narrow(1, 0, total);
        parts.push_back(at::bmm(block.parts[i].view({shape.kv_heads, group * rows, total}), v)
                            .view({shape.heads, rows, dim})
                            .transpose(0, 1)
                            .reshape({rows, std::int64_t{shape.heads} * dim}));
    }
    assign(out, parts.size() == 1 ? parts.front() : at::cat(parts, 0));
}

void AtenOps::headFigures(const AttentionShape& shape, std::span<const SequenceRows> sequences,
                          const ScoreBlock& block, HeadFigures& out)
{
    out = {};
    if (!m_threshold)
        return;
    at::Tensor sum; // [5, heads]
    std::int64_t positions = 0;
    for (std::size_t i = 0; i < block.parts.size(); ++i) {
        const at::Tensor& part = block.parts[i];
        const std::int64_t total = part.size(3);
        const std::int64_t begin =
            shape.window ? std::max<std::int64_t>(0, total - *shape.window) : 0;
        const at::Tensor w = part.select(2, sequences[i].count - 1)
                                 .narrow(2, begin, total - begin)
                                 .to(at::kFloat)
                                 .reshape({shape.heads, total - begin});
        const at::Tensor logs = w.clamp_min(std::numeric_limits<float>::min()).log();
        const at::Tensor figures =
            at::stack({-(w * logs).sum(-1), w.amax(-1), w.lt(*m_threshold).to(at::kFloat).mean(-1),
                       w.square().sum(-1), w.sum(-1)});
        positions = total - begin;
        sum = sum.defined() ? sum + figures : figures;
    }
    const at::Tensor all =
        (sum / static_cast<double>(block.parts.size())).to(at::kCPU).contiguous();
    const float* const data = all.data_ptr<float>();
    const auto heads = static_cast<std::ptrdiff_t>(shape.heads);
    out.entropy.assign(data, data + heads);
    out.largest.assign(data + heads, data + 2 * heads);
    out.sparsity.assign(data + 2 * heads, data + 3 * heads);
    if (block.parts.size() > 1) // means per head do not describe all weights together
        return;
    const auto mean = [&](const float* values) {
        return std::accumulate(values, values + heads, 0.0F) / static_cast<float>(heads);
    };
    const float share = 1.0F / static_cast<float>(positions);
    const float average = mean(data + 4 * heads) * share; // with sinks, they add up to less than 1
    const float squares = mean(data + 3 * heads) * share;
    out.stats = {.mean_abs = average,
                 .std = std::sqrt(std::max(0.0F, squares - average * average)),
                 .max_abs = *std::max_element(out.largest.begin(), out.largest.end()),
                 .sparsity = mean(data + 2 * heads)};
}

void AtenOps::store(const Matrix& keys, const Matrix& values, const AttentionShape& shape,
                    std::span<const SequenceRows> sequences, int layer)
{
    for (const SequenceRows& part : sequences) {
        const KvCache& cache = *part.cache;
        const auto copy = [&](const at::Tensor& target, const at::Tensor& source) {
            target.narrow(1, cache.length(), part.count)
                .copy_(source.narrow(0, part.first, part.count)
                           .reshape({part.count, shape.kv_heads, target.size(2)})
                           .transpose(0, 1));
        };
        copy(cache.layer(layer).keys, keys.tensor);
        copy(cache.layer(layer).values, values.tensor);
    }
}

void AtenOps::attention(Matrix& queries, const AttentionShape& shape, const RotaryAngles& angles,
                        std::span<const SequenceRows> sequences, int layer, Matrix& out)
{
    rotate(queries, shape, angles, sequences, layer);
    std::vector<at::Tensor> parts; // [rows of the sequence, heads * head_dim]
    for (const SequenceRows& part : sequences) {
        parts.push_back(
            attend(queries.tensor.narrow(0, part.first, part.count), shape, *part.cache, layer));
    }
    assign(out, parts.size() == 1 ? parts.front() : at::cat(parts, 0));
}

void AtenOps::rotate(Matrix& queries, const AttentionShape& shape, const RotaryAngles& angles,
                     std::span<const SequenceRows> sequences, int layer)
{
    if (shape.rotary_dim > 0) {
        rotateHeads(queries, shape.heads, shape, angles);
        const at::Tensor& c = angles.cosines.tensor;
        const at::Tensor& s = angles.sines.tensor;
        for (const SequenceRows& part : sequences) {
            if (!shape.own_keys)
                break;
            const at::Tensor fresh =
                part.cache->layer(layer).keys.narrow(1, part.cache->length(), part.count);
            const std::int64_t dim = fresh.size(2);
            const at::Tensor rows =
                fresh.transpose(0, 1).reshape({part.count, shape.kv_heads * dim});
            const at::Tensor turned =
                rotatedRows(rows, shape.kv_heads, c.narrow(0, part.first, part.count),
                            s.narrow(0, part.first, part.count), shape.interleaved);
            fresh.copy_(turned.view({part.count, shape.kv_heads, dim}).transpose(0, 1));
        }
    }
    if (shape.query_growth == 0.0F)
        return;
    std::vector<float> factors;
    for (const SequenceRows& part : sequences) {
        for (std::int64_t i = 0; i < part.count; ++i)
            factors.push_back(shape.queryFactor(part.cache->length() + i));
    }
    queries.tensor = queries.tensor * at::tensor(factors).to(m_options).unsqueeze(1);
}

void AtenOps::rotateHeads(Matrix& x, int heads, const AttentionShape& shape,
                          const RotaryAngles& angles)
{
    assign(x,
           rotatedRows(x.tensor, heads, angles.cosines.tensor, angles.sines.tensor,
                       shape.interleaved));
}

at::Tensor AtenOps::rotatedRows(const at::Tensor& x, std::int64_t heads, const at::Tensor& cosines,
                                const at::Tensor& sines, bool interleaved) const
{
    if (m_fused) {
        if (const auto done = m_fused->rotate(x, heads, cosines, sines, interleaved))
            return *done;
    }
    return rotated(x, heads, cosines, sines, interleaved);
}

// One sequence: queries [rows, heads * head_dim], result [kv_heads, heads per kv_head, rows, keys].
at::Tensor AtenOps::weights(const at::Tensor& queries, const AttentionShape& shape,
                            const KvCache& cache, int layer) const
{
    const std::int64_t rows = queries.size(0);
    const std::int64_t first = cache.length();
    const std::int64_t total = first + rows;
    const std::int64_t dim = shape.head_dim;
    const std::int64_t group = shape.heads / shape.kv_heads;
    const at::Tensor q =
        queries.reshape({rows, shape.heads, dim}).transpose(0, 1); // [heads, rows, dim]
    const at::Tensor k = cache.layer(layer).keys.narrow(1, 0, total); // [kv_heads, total, dim]

    // Query heads that share a key head form one matrix, so that keys are not copied.
    at::Tensor scores = at::bmm(q.reshape({shape.kv_heads, group * rows, dim}), k.transpose(1, 2))
        * shape.scale; // [kv_heads, group * rows, total]
    if (shape.soft_cap > 0.0F)
        scores = at::tanh(scores / shape.soft_cap) * shape.soft_cap;
    scores = scores.to(at::kFloat).view({shape.kv_heads, group, rows, total});
    if (const at::Tensor hidden = attentionMask(first, rows, shape.window, m_options);
        hidden.defined())
        scores = scores + hidden;
    return softmaxOf(scores, shape).to(m_options.dtype());
}

at::Tensor AtenOps::attend(const at::Tensor& queries, const AttentionShape& shape,
                           const KvCache& cache, int layer) const
{
    const std::int64_t rows = queries.size(0);
    const std::int64_t total = cache.length() + rows;
    const std::int64_t group = shape.heads / shape.kv_heads;
    if (canFuseAttention(m_options.device()) && shape.soft_cap == 0.0F && !shape.hasSinks()
        && shape.values() == shape.head_dim)
        return fused(queries, shape, cache, layer);
    const at::Tensor v = cache.layer(layer).values.narrow(1, 0, total); // [kv_heads, total, dim]
    const at::Tensor context =
        at::bmm(weights(queries, shape, cache, layer).view({shape.kv_heads, group * rows, total}),
                v); // [.., dim]
    return context.view({shape.heads, rows, shape.values()})
        .transpose(0, 1)
        .reshape({rows, std::int64_t{shape.heads} * shape.values()});
}

// One row per sequence: query heads that share a key head are the rows of one small matrix, so
// keys are not copied. Several rows: keys and values are repeated for each query head.
at::Tensor AtenOps::fused(const at::Tensor& queries, const AttentionShape& shape,
                          const KvCache& cache, int layer) const
{
    const std::int64_t rows = queries.size(0);
    const std::int64_t dim = shape.head_dim;
    const std::int64_t total = cache.length() + rows;
    const std::int64_t group = shape.heads / shape.kv_heads;
    // The function itself divides by the square root of dim.
    const double factor = static_cast<double>(shape.scale) * std::sqrt(static_cast<double>(dim));
    at::Tensor q = queries.reshape({rows, shape.heads, dim}) * factor;
    const std::int64_t begin =
        rows == 1 && shape.window ? std::max<std::int64_t>(0, total - *shape.window) : 0;
    at::Tensor k = cache.layer(layer).keys.narrow(1, begin, total - begin); // [kv_heads, seen, dim]
    at::Tensor v = cache.layer(layer).values.narrow(1, begin, total - begin);
    if (rows == 1) {
        q = q.reshape({1, shape.kv_heads, group, dim});
        return fusedAttention(q, k.unsqueeze(0), v.unsqueeze(0), {})
            .reshape({1, std::int64_t{shape.heads} * dim});
    }
    const auto repeated = [&](const at::Tensor& x) {
        return x.unsqueeze(1)
            .expand({shape.kv_heads, group, total, dim})
            .reshape({1, shape.heads, total, dim});
    };
    const at::Tensor hidden = attentionMask(cache.length(), rows, shape.window, m_options);
    return fusedAttention(q.transpose(0, 1).unsqueeze(0), repeated(k), repeated(v),
                          hidden.to(m_options.dtype()))
        .squeeze(0)
        .transpose(0, 1)
        .reshape({rows, std::int64_t{shape.heads} * dim});
}

std::vector<float> AtenOps::attentionWeights(const Matrix& queries, const AttentionShape& shape,
                                             const SequenceRows& rows, std::int64_t row, int layer)
{
    const std::int64_t end = rows.cache->length() + row - rows.first + 1;
    const std::int64_t begin = shape.window ? std::max<std::int64_t>(0, end - *shape.window) : 0;
    const at::Tensor all =
        weights(queries.tensor.narrow(0, rows.first, rows.count), shape, *rows.cache, layer);
    const at::Tensor one = all.select(2, row - rows.first)
                               .narrow(2, begin, end - begin)
                               .to(at::kCPU, at::kFloat)
                               .contiguous();
    const float* const data = one.data_ptr<float>();
    return {data, data + one.numel()};
}

std::string AtenOps::attentionImplementation(bool decomposed) const
{
    if (decomposed)
        return "decomposed, LibTorch operations, softmax in f32";
    if (canFuseAttention(m_options.device()))
        return "fused, LibTorch's scaled_dot_product_attention";
    return kHasFusedAttention
        ? "LibTorch operations, softmax in f32: the fused attention of LibTorch " + torchVersion()
            + " is wrong on this device"
        : "LibTorch operations, softmax in f32";
}

} // namespace ep::model
