// SPDX-License-Identifier: GPL-3.0-or-later
// Attention with LibTorch's operations: cache, rotation, scores, and the fused function.
#include "aten_functions.h"
#include "aten_ops.h"
#include "gpu/gpu_fused.h"
#include "torch_compat.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

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
