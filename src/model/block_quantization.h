// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/dtype.h"

#include <cstddef>
#include <cstdint>

// Rounding of plain weights to the types in blocks that --dtype offers: Q8_0, Q4_0, Q4_K, MLX4.
// What a file of such a type holds was chosen with more care, often with a calibration text: this
// is to try a type out, not to publish a model.
namespace ep::model {

inline constexpr std::int64_t kMlxGroup = 64;

// Whether rows of so many columns can be stored in the type.
bool fitsBlocks(DType dtype, std::int64_t columns);

// Q8_0, Q4_0, Q4_K: x [count], whole blocks, to out [bytesOf(dtype, count)].
void quantizeToBlocks(DType dtype, const float* x, std::int64_t count, std::byte* out);

// MLX4 in groups of kMlxGroup: packed numbers [count / 2 bytes], scales and biases [count / group]
// as f16, by the formula that MLX documents for mlx.core.quantize.
void quantizeToMlx4(const float* x, std::int64_t count, std::byte* packed, std::uint16_t* scales,
                    std::uint16_t* biases);

} // namespace ep::model
