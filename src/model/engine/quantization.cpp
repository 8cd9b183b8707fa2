// SPDX-License-Identifier: GPL-3.0-or-later
#include "quantization.h"

#include "block_quantization.h"
#include "dequantization.h"
#include "stored_tensor.h"
#include "thread_pool.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace ep::model {
namespace {

constexpr double kMaxInt8 = 127.0;
constexpr std::int64_t kDequantizedValues = 1 << 22; // values to dequantize at a time

WeightRows rowsOfSource(const Weight& source)
{
    return {.values = source.data,
            .columns = source.columns,
            .scales = source.scale_data,
            .groups = source.groups};
}

// Rows [first, first + count) in f32.
at::Tensor valuesOf(const Weight& source, std::int64_t first, std::int64_t count)
{
    if (isPlain(source.dtype))
        return source.tensor.narrow(0, first, count).to(at::kFloat);
    at::Tensor values = at::empty({count, source.columns}, at::kFloat);
    const auto dequantize = matmulsFor(kernels(), source.dtype).dequantizeRow;
    for (std::int64_t row = 0; row < count; ++row) {
        dequantize(rowsOfSource(source), first + row,
                   values.data_ptr<float>() + row * source.columns);
    }
    return values;
}

// The weight without its values, in the given type.
Weight withoutValues(const Weight& source, DType dtype)
{
    Weight weight;
    weight.dtype = dtype;
    weight.rows = source.rows;
    weight.columns = source.columns;
    weight.tensor = at::empty({source.rows, bytesOf(dtype, source.columns)}, at::kByte);
    weight.data = weight.tensor.data_ptr();
    return weight;
}

// Calls job(row, values) for each row of the source.
template <typename Job>
void forRows(const Weight& source, ThreadPool& pool, std::int64_t atOnce, const Job& job)
{
    const WeightRows plain = rowsOfSource(source);
    const auto dequantize = matmulsFor(kernels(), source.dtype).dequantizeRow;
    pool.runRanges(source.rows, atOnce, atOnce, [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> rows(static_cast<std::size_t>(atOnce * source.columns));
        for (std::int64_t row = begin; row < end; row += atOnce) {
            const std::int64_t count = std::min(atOnce, end - row);
            for (std::int64_t i = 0; i < count; ++i)
                dequantize(plain, row + i, rows.data() + i * source.columns);
            job(row, count, rows.data());
        }
    });
}

Weight toMlx(const Weight& source, DType dtype, ThreadPool& pool)
{
    const std::int64_t groups = source.columns / kMlxGroup; // groups per row
    Weight weight = withoutValues(source, dtype);
    const at::Tensor scales = at::empty({source.rows, groups}, at::kFloat);
    const at::Tensor biases = at::empty({source.rows, groups}, at::kFloat);
    auto* const out = static_cast<std::byte*>(weight.tensor.data_ptr());
    const std::int64_t rowBytes = weight.tensor.size(1);
    const auto bits = static_cast<int>(rowOf(dtype).bytes * 8 / rowOf(dtype).block);
    forRows(source, pool, 1, [&](std::int64_t row, std::int64_t, const float* values) {
        quantizeToMlx(bits, values, source.columns, out + row * rowBytes,
                      scales.data_ptr<float>() + row * groups,
                      biases.data_ptr<float>() + row * groups);
    });
    // In the type of the model, as in MLX.
    const DType plain = isPlain(source.dtype) ? source.dtype : DType::F16;
    const at::ScalarType type = scalarType(plain);
    weight.scales = scales.to(type);
    weight.biases = biases.to(type);
    weight.groups = {.scales = weight.scales.data_ptr(),
                     .biases = weight.biases.data_ptr(),
                     .columns = kMlxGroup,
                     .type = plain == DType::F16 ? GroupScales::Type::F16
                         : plain == DType::BF16  ? GroupScales::Type::BF16
                                                 : GroupScales::Type::F32};
    return weight;
}

Weight toFp8(const Weight& source, ThreadPool& pool)
{
    Weight weight = withoutValues(source, DType::Fp8);
    const std::int64_t ofRow = (source.columns + kFp8Block - 1) / kFp8Block;
    weight.scales = at::empty({(source.rows + kFp8Block - 1) / kFp8Block, ofRow}, at::kFloat);
    auto* const out = static_cast<std::byte*>(weight.tensor.data_ptr());
    auto* const scales = weight.scales.data_ptr<float>();
    forRows(source, pool, kFp8Block,
            [&](std::int64_t row, std::int64_t count, const float* values) {
                quantizeToFp8(values, count, source.columns, out + row * source.columns,
                              scales + row / kFp8Block * ofRow);
            });
    weight.groups = {.scales = scales, .columns = kFp8Block, .rows = kFp8Block};
    return weight;
}

} // namespace

Weight quantized(const Weight& source)
{
    Weight weight;
    weight.dtype = DType::Int8;
    weight.rows = source.rows;
    weight.columns = source.columns;
    if (!source.tensor.defined()) // missing; the loader reports it at the end
        return weight;
    const at::Device device = source.tensor.device();
    weight.tensor =
        at::empty({source.rows, source.columns}, at::TensorOptions(at::kChar).device(device));
    weight.scales = at::empty({source.rows}, at::TensorOptions(at::kFloat).device(device));
    const std::int64_t step =
        std::max<std::int64_t>(1, kDequantizedValues / std::max<std::int64_t>(1, source.columns));
    for (std::int64_t first = 0; first < source.rows; first += step) {
        const std::int64_t count = std::min(step, source.rows - first);
        const at::Tensor values = valuesOf(source, first, count);
        const at::Tensor scales = values.abs().amax(1).div(kMaxInt8); // [count]
        weight.scales.narrow(0, first, count).copy_(scales);
        // A row of zeros has the scale 0; its values are 0 for any divisor.
        const at::Tensor divisors =
            scales.clamp_min(std::numeric_limits<float>::min()).unsqueeze(1);
        weight.tensor.narrow(0, first, count)
            .copy_(values.div(divisors).round_().clamp_(-kMaxInt8, kMaxInt8));
    }
    if (device.is_cpu()) {
        weight.data = weight.tensor.data_ptr();
        weight.scale_data = weight.scales.data_ptr<float>();
    }
    return weight;
}

Weight onDevice(Weight weight, at::Device device)
{
    if (weight.groups.rows > 1) {
        weight.scales =
            weight.scales.repeat_interleave(weight.groups.rows, 0).narrow(0, 0, weight.rows);
    }
    for (at::Tensor* const tensor :
         {&weight.tensor, &weight.scales, &weight.biases, &weight.row_scales}) {
        if (tensor->defined())
            *tensor = tensor->to(device).contiguous();
    }
    weight.data = nullptr;
    weight.scale_data = nullptr;
    weight.groups = {.columns = weight.groups.columns, .type = weight.groups.type};
    return weight;
}

Weight quantizedInBlocks(const Weight& source, DType dtype, ThreadPool& pool)
{
    if (!source.tensor.defined() || !fitsBlocks(dtype, source.columns))
        return source;
    if (const at::Device device = source.tensor.device(); !device.is_cpu()) {
        Weight here = source;
        here.tensor = source.tensor.to(at::kCPU).contiguous();
        here.data = here.tensor.data_ptr();
        return onDevice(quantizedInBlocks(here, dtype, pool), device);
    }
    if (dtype == DType::Fp8)
        return toFp8(source, pool);
    if (scalesApart(dtype))
        return toMlx(source, dtype, pool);
    Weight weight = withoutValues(source, dtype);
    auto* const out = static_cast<std::byte*>(weight.tensor.data_ptr());
    const std::int64_t rowBytes = weight.tensor.size(1);
    forRows(source, pool, 1, [&](std::int64_t row, std::int64_t, const float* values) {
        quantizeToBlocks(dtype, values, source.columns, out + row * rowBytes);
    });
    return weight;
}

} // namespace ep::model
