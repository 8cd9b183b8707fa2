// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "weights.h"

#include <cstdint>
#include <functional>

// Matmuls with quantized weights (int8 and blocks) on accelerators without kernels for them.
namespace ep::model {

constexpr bool isPlain(DType dtype)
{
    return dtype != DType::Int8 && !inBlocks(dtype);
}

// Rows [first, first + count).
Weight rowsOf(const Weight& weight, std::int64_t first, std::int64_t count);
// The rows with these indices [count], on the weight's device.
Weight rowsOf(const Weight& weight, const at::Tensor& indices);

// All values [rows, columns] on the weight's device, computed in f32 and rounded to the type.
// Blocks are copied to the processor, which dequantizes them.
at::Tensor dequantized(const Weight& weight, at::ScalarType type);

inline constexpr std::int64_t kDequantizedAtOnce = 1 << 23; // values; 32 MiB in f32

// Returns all values of a weight [rows, columns].
using Dequantizer = std::function<at::Tensor(const Weight&)>;

// x W^T + b. At most `atOnce` values of the weight are dequantized at a time, by the given function
// or else by dequantized() in the type of x.
at::Tensor linearOfDequantized(const at::Tensor& x, const Linear& layer,
                               std::int64_t atOnce = kDequantizedAtOnce,
                               const Dequantizer& dequantize = {});

} // namespace ep::model
