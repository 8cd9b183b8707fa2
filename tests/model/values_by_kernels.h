// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kernels.h"
#include "weights.h"

#include <ATen/ATen.h>

namespace ep::test {

// The values of a weight as the portable kernels dequantize them, f32 [rows, columns].
inline at::Tensor valuesByKernels(const model::Weight& weight)
{
    at::Tensor wide = at::empty({weight.rows, weight.columns}, at::kFloat);
    const model::WeightRows rows{
        .values = weight.data, .columns = weight.columns, .groups = weight.groups};
    for (std::int64_t row = 0; row < weight.rows; ++row) {
        matmulsFor(*model::portableKernels(), weight.dtype)
            .dequantizeRow(rows, row, wide.data_ptr<float>() + row * weight.columns);
    }
    return wide;
}

} // namespace ep::test
