// SPDX-License-Identifier: GPL-3.0-or-later
#include "quantization.h"

#include "block_quantization.h"
#include "thread_pool.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace ep::model {
namespace {

constexpr double kLargest = 127.0;
constexpr std::int64_t kWidenedValues = 1 << 22; // values to widen at a time

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
    weight.tensor = at::empty(source.tensor.sizes(), at::TensorOptions(at::kChar).device(device));
    weight.scales = at::empty({source.rows}, at::TensorOptions(at::kFloat).device(device));
    const std::int64_t step =
        std::max<std::int64_t>(1, kWidenedValues / std::max<std::int64_t>(1, source.columns));
    for (std::int64_t first = 0; first < source.rows; first += step) {
        const std::int64_t count = std::min(step, source.rows - first);
        const at::Tensor values = source.tensor.narrow(0, first, count).to(at::kFloat);
        const at::Tensor scales = values.abs().amax(1).div(kLargest); // [count]
        weight.scales.narrow(0, first, count).copy_(scales);
        // A row of zeros has the scale 0; its values are 0 for any divisor.
        const at::Tensor divisors =
            scales.clamp_min(std::numeric_limits<float>::min()).unsqueeze(1);
        weight.tensor.narrow(0, first, count)
            .copy_(values.div(divisors).round_().clamp_(-kLargest, kLargest));
    }
    if (device.is_cpu()) {
        weight.data = weight.tensor.data_ptr();
        weight.scale_data = weight.scales.data_ptr<float>();
    }
    return weight;
}

Weight quantizedInBlocks(const Weight& source, DType dtype, ThreadPool& pool)
{
    if (!source.tensor.defined() || !fitsBlocks(dtype, source.columns))
        return source;
    const std::int64_t rowBytes = bytesOf(dtype, source.columns);
    const std::int64_t groups = source.columns / kMlxGroup; // of a row
    Weight weight;
    weight.dtype = dtype;
    weight.rows = source.rows;
    weight.columns = source.columns;
    weight.tensor = at::empty({source.rows, rowBytes}, at::kByte);
    weight.data = weight.tensor.data_ptr();
    auto* const out = static_cast<std::byte*>(weight.tensor.data_ptr());
    std::uint16_t* scales = nullptr;
    std::uint16_t* biases = nullptr;
    if (isMlx(dtype)) {
        weight.scales = at::empty({source.rows, groups}, at::kHalf);
        weight.biases = at::empty({source.rows, groups}, at::kHalf);
        scales = static_cast<std::uint16_t*>(weight.scales.data_ptr());
        biases = static_cast<std::uint16_t*>(weight.biases.data_ptr());
        weight.groups = {.scales = scales,
                         .biases = biases,
                         .columns = kMlxGroup,
                         .type = GroupScales::Type::F16};
    }
    const WeightRows plain{.values = source.data, .columns = source.columns};
    const auto widen = productsFor(kernels(), source.dtype).widenRow;
    pool.runRanges(source.rows, 8, 1, [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> row(static_cast<std::size_t>(source.columns));
        for (std::int64_t r = begin; r < end; ++r) {
            widen(plain, r, row.data());
            std::byte* const to = out + r * rowBytes;
            if (isMlx(dtype)) {
                quantizeToMlx4(row.data(), source.columns, to, scales + r * groups,
                               biases + r * groups);
            } else {
                quantizeToBlocks(dtype, row.data(), source.columns, to);
            }
        }
    });
    return weight;
}

} // namespace ep::model
