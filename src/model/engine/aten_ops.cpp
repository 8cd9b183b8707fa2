// SPDX-License-Identifier: GPL-3.0-or-later
#include "aten_ops.h"

#include "aten_functions.h"
#include "aten_ops_impl.h"
#include "dequantization.h"
#include "gpu/gpu_fused.h"
#include "gpu/gpu_matmul.h"
#include "torch_version.h"
#include "value_stats.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ep::model {

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

} // namespace ep::model
