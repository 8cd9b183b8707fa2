// SPDX-License-Identifier: GPL-3.0-or-later
#include "dequantization.h"

#include "block_values.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ep::model {
namespace {

at::Tensor dequantized(const Weight& weight)
{
    if (weight.dtype == DType::Int8)
        return weight.tensor.to(at::kFloat) * weight.scales.unsqueeze(1);
    const at::Tensor values = valuesOf(weight).reshape({weight.rows, weight.columns});
    return weight.row_scales.defined() ? values * weight.row_scales.unsqueeze(1) : values;
}

template <typename Choose>
Weight chosen(const Weight& weight, const Choose& choose)
{
    Weight rows;
    rows.tensor = choose(weight.tensor);
    rows.dtype = weight.dtype;
    rows.rows = rows.tensor.size(0);
    rows.columns = weight.columns;
    if (weight.scales.defined())
        rows.scales = choose(weight.scales);
    if (weight.biases.defined())
        rows.biases = choose(weight.biases);
    if (weight.row_scales.defined())
        rows.row_scales = choose(weight.row_scales);
    rows.groups = {.columns = weight.groups.columns, .type = weight.groups.type};
    return rows;
}

} // namespace

Weight rowsOf(const Weight& weight, std::int64_t first, std::int64_t count)
{
    return chosen(weight, [&](const at::Tensor& t) { return t.narrow(0, first, count); });
}

Weight rowsOf(const Weight& weight, const at::Tensor& indices)
{
    return chosen(weight, [&](const at::Tensor& t) { return t.index_select(0, indices); });
}

at::Tensor dequantized(const Weight& weight, at::ScalarType type)
{
    return dequantized(weight).to(type);
}

at::Tensor linearOfDequantized(const at::Tensor& x, const Linear& layer, std::int64_t atOnce,
                               const Dequantizer& dequantize)
{
    const Weight& weight = layer.weight;
    const std::int64_t step =
        std::max<std::int64_t>(1, atOnce / std::max<std::int64_t>(1, weight.columns));
    at::Tensor bias = layer.bias.tensor;
    if (bias.defined())
        bias = bias.to(x.scalar_type()); // accelerators refuse another type
    std::vector<at::Tensor> parts;
    for (std::int64_t first = 0; first < weight.rows; first += step) {
        const std::int64_t count = std::min(step, weight.rows - first);
        const Weight rows = rowsOf(weight, first, count);
        parts.push_back(
            at::linear(x, dequantize ? dequantize(rows) : dequantized(rows, x.scalar_type()),
                       bias.defined() ? bias.narrow(0, first, count) : bias));
    }
    return parts.size() == 1 ? parts.front() : at::cat(parts, 1);
}

} // namespace ep::model
