// SPDX-License-Identifier: GPL-3.0-or-later
#include "aten_functions.h"

namespace ep::model {

at::Tensor normOf(const at::Tensor& x, const Norm& norm, at::ScalarType type)
{
    const at::Tensor wide = x.to(at::kFloat);
    if (norm.kind == NormKind::Layer) {
        const at::Tensor centred = wide - wide.mean(-1, true);
        const at::Tensor scale = at::rsqrt(centred.pow(2).mean(-1, true) + norm.epsilon);
        const at::Tensor weighted = centred * scale * norm.weight.tensor.to(at::kFloat);
        return (norm.bias.tensor.defined() ? weighted + norm.bias.tensor.to(at::kFloat) : weighted)
            .to(type);
    }
    const at::Tensor scaled = wide * at::rsqrt(wide.pow(2).mean(-1, true) + norm.epsilon);
    if (norm.weight.tensor.scalar_type() == at::kFloat)
        return (scaled * norm.weight.tensor).to(type);
    return scaled.to(type) * norm.weight.tensor;
}

at::Tensor linearOf(const at::Tensor& x, const Linear& layer)
{
    const at::Tensor& weight = layer.weight.tensor;
    const at::ScalarType type = at::promote_types(x.scalar_type(), weight.scalar_type());
    const at::Tensor bias =
        layer.bias.tensor.defined() ? layer.bias.tensor.to(type) : layer.bias.tensor;
    const at::Tensor y = at::linear(x.to(type), weight.to(type), bias);
    return layer.wide_result ? y : y.to(x.scalar_type());
}

at::Tensor normOfHeads(const at::Tensor& x, const Norm& norm, std::int64_t heads,
                       at::ScalarType type)
{
    const std::int64_t rows = x.size(0);
    const std::int64_t dim = x.size(1) / heads;
    Norm shaped = norm;
    if (norm.per_head) {
        shaped.weight.tensor = norm.weight.tensor.view({heads, dim});
        if (norm.bias.tensor.defined())
            shaped.bias.tensor = norm.bias.tensor.view({heads, dim});
    }
    return normOf(x.reshape({rows, heads, dim}), shaped, type).reshape({rows, heads * dim});
}

at::Tensor rotated(const at::Tensor& x, std::int64_t heads, const at::Tensor& c,
                   const at::Tensor& s, bool interleaved)
{
    const std::int64_t rows = x.size(0);
    const std::int64_t dim = x.size(1) / heads;
    const std::int64_t half = c.size(1);
    const at::Tensor split = x.reshape({rows, heads, dim}).transpose(0, 1); // [heads, rows, dim]
    const at::Tensor rest = split.narrow(2, 2 * half, dim - 2 * half);
    const auto joined = [&](const at::TensorList& parts) {
        return at::cat(parts, 2).transpose(0, 1).reshape({rows, heads * dim});
    };
    if (interleaved) {
        const at::Tensor pairs = split.narrow(2, 0, 2 * half).reshape({heads, rows, half, 2});
        const at::Tensor first = pairs.select(3, 0);
        const at::Tensor second = pairs.select(3, 1);
        const at::Tensor turned =
            at::stack({first * c - second * s, second * c + first * s}, 3).flatten(2, 3);
        return joined({turned, rest});
    }
    const at::Tensor a = split.narrow(2, 0, half);
    const at::Tensor b = split.narrow(2, half, half);
    return joined({a * c - b * s, b * c + a * s, rest});
}

at::Tensor activationOf(Activation kind, const at::Tensor& x)
{
    switch (kind) {
    case Activation::Silu:
        return at::silu(x);
    case Activation::GeluTanh:
        return at::gelu(x, "tanh");
    case Activation::GeluErf:
        return at::gelu(x, "none");
    case Activation::QuickGelu:
        return x * at::sigmoid(x * 1.702);
    case Activation::Relu:
        return at::relu(x);
    case Activation::ReluSquared:
        return at::relu(x).square();
    case Activation::Sigmoid:
        return at::sigmoid(x);
    }
    return x;
}

at::Tensor statisticsOf(const at::Tensor& x, float threshold)
{
    const at::Tensor values = x.to(at::kFloat);
    const at::Tensor magnitudes = values.abs();
    return at::stack({magnitudes.mean(), values.std(false), magnitudes.max(),
                      magnitudes.lt(threshold).to(at::kFloat).mean()});
}

} // namespace ep::model
