// SPDX-License-Identifier: GPL-3.0-or-later
#include "dequantization.h"

#include "kernels.h"

#include "ep/model/dtype.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <vector>

namespace ep::model {
namespace {

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

// The values of blocks as f32 on the processor, by the portable kernels: they know every format and
// round like the kernels of a GPU, whereas others fuse multiplications with additions.
at::Tensor valuesOf(const Weight& weight)
{
    const Weight here =
        chosen(weight, [](const at::Tensor& t) { return t.to(at::kCPU).contiguous(); });
    WeightRows rows{.values = here.tensor.data_ptr(),
                    .columns = here.columns,
                    .scales =
                        here.row_scales.defined() ? here.row_scales.data_ptr<float>() : nullptr,
                    .groups = here.groups};
    if (here.scales.defined())
        rows.groups.scales = here.scales.data_ptr();
    if (here.biases.defined())
        rows.groups.biases = here.biases.data_ptr();
    const at::Tensor values = at::empty({here.rows, here.columns}, at::kFloat);
    float* const to = values.data_ptr<float>();
    const auto dequantize = matmulsFor(*portableKernels(), here.dtype).dequantizeRow;
    at::parallel_for(0, here.rows, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row)
            dequantize(rows, row, to + row * here.columns);
    });
    return values;
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
    if (weight.dtype == DType::Int8)
        return (weight.tensor.to(at::kFloat) * weight.scales.unsqueeze(1)).to(type);
    return valuesOf(weight).to(weight.tensor.device(), type);
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
