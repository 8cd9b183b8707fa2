// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kernels.h"
#include "torch_compat.h"

#include "ep/model/config.h"

#include <cstdint>

namespace ep::model {

// A weight matrix [rows, columns], row-major, in the type used for computation. On the processor,
// `data` points into the tensor or, without a copy, into the mapped file that the tensor refers
// to. For blocks (dtype.h), the tensor has bytes [rows, bytes of a row].
struct Weight {
    at::Tensor tensor;
    const void* data = nullptr; // null on accelerators
    DType dtype = DType::F32;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    // int8: f32 [rows]; a weight is its value x the scale of its row. Formats with separate scales:
    // [rows, groups]; a weight is its value x the scale of its group (+ the bias of its group).
    at::Tensor scales{};
    at::Tensor biases{};
    at::Tensor row_scales{}; // for blocks: f32 [rows], may be absent; a factor for each row
    const float* scale_data = nullptr; // int8: scales; blocks: row_scales; null on accelerators
    GroupScales groups{}; // scales and biases for kernels; on accelerators, their type and columns
};

// A vector; on the processor always f32.
struct WeightVector {
    at::Tensor tensor;
    const float* data = nullptr; // null on accelerators and when absent
};

// y = x W^T + b
struct Linear {
    Weight weight; // [out, in]
    WeightVector bias; // [out], may be absent
    // On accelerators: the result keeps the type of the product, which may be wider than that of
    // the activations.
    bool wide_result = false;
};

enum class NormKind : std::uint8_t { Rms, Layer };

struct Norm {
    NormKind kind = NormKind::Rms;
    WeightVector weight; // [width]
    WeightVector bias; // [width], may be absent
    float epsilon = 1e-6F;
    bool per_head = false; // separate weights for each head, one after the other
};

} // namespace ep::model
