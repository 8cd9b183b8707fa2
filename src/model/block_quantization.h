// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/dtype.h"

#include <cstddef>
#include <cstdint>

// Quantizes plain weights to the formats that --dtype offers, with the same results as llama.cpp's
// and MLX's quantizers without a calibration text. Files quantized with a calibration text are
// better: this is for comparing formats with one model, not for publishing one.
namespace ep::model {

inline constexpr std::int64_t kMlxGroup = 64;
inline constexpr std::int64_t kFp8Block = 128; // rows and columns with a common scale

// Whether rows of this many columns can be stored in the type.
bool fitsBlocks(DType dtype, std::int64_t columns);

// Formats of ggml that are offered: x [count], whole blocks, to out [bytesOf(dtype, count)].
void quantizeToBlocks(DType dtype, const float* x, std::int64_t count, std::byte* out);

// MLX's affine formats in groups of kMlxGroup: packed numbers [count x bits / 8 bytes], and scales
// and biases [count / group].
void quantizeToMlx(int bits, const float* x, std::int64_t count, std::byte* packed, float* scales,
                   float* biases);

// E4M3 in blocks of kFp8Block, as in FP8 folders: quantizes `rows` rows of x [rows, columns], at
// most kFp8Block, and computes the scale of each of their blocks.
void quantizeToFp8(const float* x, std::int64_t rows, std::int64_t columns, std::byte* out,
                   float* scales);

} // namespace ep::model
