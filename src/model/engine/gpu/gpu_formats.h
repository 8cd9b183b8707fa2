// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/gpu_library.h"

#include "ep/model/dtype.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace ep::model {

// A format that the kernels of matmul.metal can multiply.
struct GpuFormat {
    DType dtype = DType::F32;
    std::string_view type; // type in formats.metal that dequantizes the format
    bool biases = false; // in addition to the groups' scales
};

inline constexpr std::array<GpuFormat, 24> kGpuFormats{{
    {DType::Q8_0, "Q8_0"},        {DType::Q4_0, "Q4_0"},        {DType::Q4_1, "Q4_1"},
    {DType::Q5_0, "Q5_0"},        {DType::Q5_1, "Q5_1"},        {DType::Q2_K, "Q2_K"},
    {DType::Q3_K, "Q3_K"},        {DType::Q4_K, "Q4_K"},        {DType::Q5_K, "Q5_K"},
    {DType::Q6_K, "Q6_K"},        {DType::IQ4_NL, "Iq4Nl"},     {DType::IQ4_XS, "Iq4Xs"},
    {DType::Mxfp4, "Mxfp4"},      {DType::Nvfp4, "Nvfp4"},      {DType::Mlx1, "Mlx1", true},
    {DType::Mlx2, "Mlx2", true},  {DType::Mlx3, "Mlx3", true},  {DType::Mlx4, "Mlx4", true},
    {DType::Mlx5, "Mlx5", true},  {DType::Mlx6, "Mlx6", true},  {DType::Mlx8, "Mlx8", true},
    {DType::MlxMxfp4, "MlxE2M1"}, {DType::MlxNvfp4, "MlxE2M1"}, {DType::Fp8, "Fp8"},
}};

// Null if there is no kernel for the type.
const GpuFormat* gpuFormatOf(DType dtype);

// Arguments of a kernel besides its tensors: the struct Shape in numbers.metal.
struct GpuShape {
    std::uint32_t rows = 0; // rows of the weight
    std::uint32_t columns = 0;
    std::uint32_t inputs = 0; // rows of activations
    std::uint32_t row_bytes = 0;
    std::uint32_t row_scales = 0; // scales per row, if they are separate
    std::uint32_t units_of_scale = 1; // units of 16 columns with a common scale
    std::uint32_t scale_type = 0; // GroupScales::Type
    std::uint32_t has_scales = 0; // whether groups have scales
    std::uint32_t has_factors = 0; // whether rows have factors
    std::uint32_t has_bias = 0;
};

// Outputs and threads per threadgroup, as in matmul.metal.
struct GpuTiling {
    std::uint32_t rows = 0;
    std::uint32_t inputs = 0;
    std::uint32_t threads = 0;
};
inline constexpr GpuTiling kGpuVector{.rows = 8, .inputs = 1, .threads = 64};
inline constexpr GpuTiling kGpuTile{.rows = 64, .inputs = 32, .threads = 128};
inline constexpr std::uint32_t kGpuDequantizeThreads = 128; // a thread dequantizes 16 columns
inline constexpr std::int64_t kGpuColumns = 32; // the number of columns is a multiple of this
// With more rows of activations than this, tiles are used.
inline constexpr std::int64_t kMaxVectorInputs = 4;

enum class GpuActivations : std::uint8_t { F32, F16, BF16 };

// The task of a kernel of a format. Each kernel is a function template of matmul.metal.
enum class GpuKernelKind : std::uint8_t {
    Vector, // GEMV: few rows of activations
    Tile, // matmul: many rows of activations
    Dequantize, // the weights in the type of the activations
};

// "tile_q4_k_f16"
std::string gpuKernelName(GpuKernelKind kind, const GpuFormat& format, GpuActivations activations);

// The kernels of one format for weights as stored, and for many rows of activations: Tile or
// Dequantize.
GpuSource gpuSource(const GpuFormat& format, GpuActivations activations, GpuKernelKind many);

// The kernels of fused.metal; norm weights have the type of the activations, or are f32.
GpuSource gpuFusedSource(GpuActivations activations);
inline constexpr const char* kGpuNorm = "normalize"; // weights have the type of the activations
inline constexpr const char* kGpuNormF32 = "normalize_f32"; // weights in f32
inline constexpr const char* kGpuRotation = "rotation";
inline constexpr const char* kGpuGate = "gate";
inline constexpr const char* kGpuStatistics = "statistics";
inline constexpr const char* kGpuStatisticsF32 = "statistics_f32"; // of values in f32

} // namespace ep::model
