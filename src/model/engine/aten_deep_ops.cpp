// SPDX-License-Identifier: GPL-3.0-or-later
// The operations of AtenOps that make up norms, activations and attention at depth `deep`.
#include "aten_ops_impl.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace ep::model {
namespace {

at::Tensor grouped(const at::Tensor& x, std::int64_t groups)
{
    return x.to(at::kFloat).reshape({x.size(0), groups, x.size(1) / groups});
}

} // namespace

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

} // namespace ep::model
