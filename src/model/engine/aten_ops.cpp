// SPDX-License-Identifier: GPL-3.0-or-later
#include "aten_ops.h"

#include "aten_functions.h"
#include "aten_ops_impl.h"
#include "dequantization.h"
#include "metal/metal_fused.h"
#include "metal/metal_products.h"
#include "torch_version.h"
#include "value_stats.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ep::model {

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

at::Tensor softmaxOf(const at::Tensor& scores, const AttentionShape& shape)
{
    if (!shape.hasSinks())
        return at::softmax(scores, -1);
    const at::Tensor sinks = shape.sinks.tensor.to(at::kFloat)
                                 .view({shape.kv_heads, -1, 1, 1})
                                 .expand({-1, -1, scores.size(2), 1});
    return at::softmax(at::cat({scores, sinks}, 3), -1).narrow(3, 0, scores.size(3)).contiguous();
}

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
    assign(out,
           isPlain(table.dtype)
               ? at::embedding(table.tensor, indices)
               : dequantized(rowsOf(table, indices), m_options.dtype().toScalarType()));
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
        return assign(out, at::linear(x.tensor, layer.weight.tensor, layer.bias.tensor));
    const auto product =
        m_products ? m_products->linear(x.tensor, layer) : std::optional<at::Tensor>();
    assign(out, product ? *product : linearOfDequantized(x.tensor, layer));
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
        return x.tensor.to(at::kFloat);
    std::vector<std::int64_t> chosen;
    for (std::int64_t i = 0; i < kSampledRows; ++i)
        chosen.push_back(sampledRow(i, kSampledRows, rows));
    const at::Tensor index = at::tensor(chosen, at::kLong).to(m_options.device());
    return x.tensor.index_select(0, index).to(at::kFloat);
}

ActivationStats AtenOps::stats(const Matrix& x, float threshold)
{
    const at::Tensor values = sampled(x).to(at::kCPU).contiguous();
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
    const at::Tensor magnitudes = values.abs();
    m_deferred.push_back(at::stack({magnitudes.mean(), values.std(false), magnitudes.max(),
                                    magnitudes.lt(threshold).to(at::kFloat).mean()}));
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

double AtenOps::negativeFraction(const Matrix& x)
{
    return x.tensor.lt(0).to(at::kFloat).mean().item<double>();
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
