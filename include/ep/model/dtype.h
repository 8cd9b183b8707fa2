// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ep::model {

// Int8 has a scale for each row. The formats from Q8_0 on are ggml's blocks, which include their
// scales; block_layouts.h in the kernels' folder describes the layouts. The formats from Mlx1 on
// are streams of numbers with scales (and biases) in separate tensors.
enum class DType : std::uint8_t {
    F32,
    BF16,
    F16,
    Int8,
    Q8_0,
    Q4_0,
    Q4_1,
    Q5_0,
    Q5_1,
    Q2_K,
    Q3_K,
    Q4_K,
    Q5_K,
    Q6_K,
    IQ1_S,
    IQ1_M,
    IQ2_XXS,
    IQ2_XS,
    IQ2_S,
    IQ3_XXS,
    IQ3_S,
    IQ4_NL,
    IQ4_XS,
    TQ1_0,
    TQ2_0,
    Q1_0,
    Q2_0,
    Mxfp4,
    Nvfp4,
    Mlx1,
    Mlx2,
    Mlx3,
    Mlx4,
    Mlx5,
    Mlx6,
    Mlx8,
    MlxMxfp4,
    MlxNvfp4,
    Fp8, // E4M3: of MLX (mxfp8), and of folders with a scale per block of a matrix or per row
};

// How the processor multiplies weights of a format.
enum class MatmulKind : std::uint8_t {
    Plain, // plain numbers
    Own, // from the stored blocks, by a kernel for this format
    Dequantized, // from the stored blocks, which plain code dequantizes during the matmul
};

// Everything that the program needs to know about a number format besides its functions
// (docs/adding-a-format.md).
struct DTypeRow {
    DType dtype = DType::F32;
    std::string_view name; // in this program and on its command line
    std::int64_t bytes = 0; // size of one number, or of a block of numbers
    std::int64_t block = 1; // numbers in a block
    std::string_view stored; // name in a checkpoint; empty: no file is stored like this
    std::string_view config; // name in config.json
    int gguf = -1; // type number in GGUF; -1: not in GGUF
    MatmulKind matmul = MatmulKind::Plain;
    bool offered = true; // whether users may choose it for a part of a model
    double scale_bytes = 0.0; // per number, if scales are stored separately, for the usual groups
};

namespace detail {
inline constexpr auto kOwn = MatmulKind::Own;
inline constexpr auto kInMatmul = MatmulKind::Dequantized;
inline constexpr double kOf64 = 4.0 / 64.0; // MLX's usual groups: two 16-bit numbers each
} // namespace detail

// In the order of DType.
inline constexpr std::array<DTypeRow, 39> kDTypes{
    {{DType::F32, "f32", 4, 1, "F32", "float32", 0},
     {DType::BF16, "bf16", 2, 1, "BF16", "bfloat16", 30},
     {DType::F16, "f16", 2, 1, "F16", "float16", 1},
     {DType::Int8, "int8", 1, 1, "INT8", "", -1},
     {DType::Q8_0, "q8_0", 34, 32, "Q8_0", "", 8, detail::kOwn},
     {DType::Q4_0, "q4_0", 18, 32, "Q4_0", "", 2, detail::kOwn},
     {DType::Q4_1, "q4_1", 20, 32, "Q4_1", "", 3, detail::kOwn},
     {DType::Q5_0, "q5_0", 22, 32, "Q5_0", "", 6, detail::kOwn},
     {DType::Q5_1, "q5_1", 24, 32, "Q5_1", "", 7, detail::kOwn},
     {DType::Q2_K, "q2_k", 84, 256, "Q2_K", "", 10, detail::kOwn},
     {DType::Q3_K, "q3_k", 110, 256, "Q3_K", "", 11, detail::kOwn},
     {DType::Q4_K, "q4_k", 144, 256, "Q4_K", "", 12, detail::kOwn},
     {DType::Q5_K, "q5_k", 176, 256, "Q5_K", "", 13, detail::kOwn},
     {DType::Q6_K, "q6_k", 210, 256, "Q6_K", "", 14, detail::kOwn},
     {DType::IQ1_S, "iq1_s", 50, 256, "IQ1_S", "", 19, detail::kInMatmul, false},
     {DType::IQ1_M, "iq1_m", 56, 256, "IQ1_M", "", 29, detail::kInMatmul, false},
     {DType::IQ2_XXS, "iq2_xxs", 66, 256, "IQ2_XXS", "", 16, detail::kInMatmul, false},
     {DType::IQ2_XS, "iq2_xs", 74, 256, "IQ2_XS", "", 17, detail::kInMatmul, false},
     {DType::IQ2_S, "iq2_s", 82, 256, "IQ2_S", "", 22, detail::kInMatmul, false},
     {DType::IQ3_XXS, "iq3_xxs", 98, 256, "IQ3_XXS", "", 18, detail::kInMatmul, false},
     {DType::IQ3_S, "iq3_s", 110, 256, "IQ3_S", "", 21, detail::kInMatmul, false},
     {DType::IQ4_NL, "iq4_nl", 18, 32, "IQ4_NL", "", 20, detail::kOwn},
     {DType::IQ4_XS, "iq4_xs", 136, 256, "IQ4_XS", "", 23, detail::kOwn},
     {DType::TQ1_0, "tq1_0", 54, 256, "TQ1_0", "", 34, detail::kInMatmul, false},
     {DType::TQ2_0, "tq2_0", 66, 256, "TQ2_0", "", 35, detail::kInMatmul, false},
     {DType::Q1_0, "q1_0", 18, 128, "Q1_0", "", 41, detail::kInMatmul, false},
     {DType::Q2_0, "q2_0", 18, 64, "Q2_0", "", 42, detail::kInMatmul, false},
     {DType::Mxfp4, "mxfp4", 17, 32, "MXFP4", "", 39, detail::kOwn},
     {DType::Nvfp4, "nvfp4", 36, 64, "NVFP4", "", 40, detail::kOwn},
     {DType::Mlx1, "mlx1", 4, 32, "MLX1", "", -1, detail::kOwn, false, detail::kOf64},
     {DType::Mlx2, "mlx2", 8, 32, "MLX2", "", -1, detail::kOwn, true, detail::kOf64},
     {DType::Mlx3, "mlx3", 12, 32, "MLX3", "", -1, detail::kOwn, true, detail::kOf64},
     {DType::Mlx4, "mlx4", 16, 32, "MLX4", "", -1, detail::kOwn, true, detail::kOf64},
     {DType::Mlx5, "mlx5", 20, 32, "MLX5", "", -1, detail::kOwn, true, detail::kOf64},
     {DType::Mlx6, "mlx6", 24, 32, "MLX6", "", -1, detail::kOwn, true, detail::kOf64},
     {DType::Mlx8, "mlx8", 32, 32, "MLX8", "", -1, detail::kOwn, true, detail::kOf64},
     {DType::MlxMxfp4, "mlx_mxfp4", 16, 32, "MLX_MXFP4", "", -1, detail::kOwn, false, 1.0 / 32.0},
     {DType::MlxNvfp4, "mlx_nvfp4", 16, 32, "MLX_NVFP4", "", -1, detail::kOwn, false, 1.0 / 16.0},
     {DType::Fp8, "fp8", 32, 32, "FP8", "", -1, detail::kOwn, true, 1.0 / 4096.0}}};

constexpr const DTypeRow& rowOf(DType dtype)
{
    return kDTypes[static_cast<std::size_t>(dtype)];
}
constexpr std::string_view name(DType dtype)
{
    return rowOf(dtype).name;
}
// Whether scales for groups of numbers are part of the format, as files store it.
constexpr bool inBlocks(DType dtype)
{
    return rowOf(dtype).block > 1;
}
// Size of numbers that fill whole blocks, without scales that are stored separately.
constexpr std::int64_t bytesOf(DType dtype, std::int64_t numbers)
{
    return numbers / rowOf(dtype).block * rowOf(dtype).bytes;
}
// Whether scales are stored in separate tensors.
constexpr bool scalesApart(DType dtype)
{
    return rowOf(dtype).scale_bytes > 0.0;
}
// Bytes per number, including scales.
constexpr double bytesOfNumber(DType dtype)
{
    return static_cast<double>(rowOf(dtype).bytes) / static_cast<double>(rowOf(dtype).block)
        + rowOf(dtype).scale_bytes;
}

std::optional<DType> dtypeFromName(std::string_view word);
std::optional<DType> dtypeFromStored(std::string_view word); // names in safetensors and GGUF
std::optional<DType> dtypeFromConfig(std::string_view word); // names in config.json

// Words for how the processor multiplies weights of the format: "by a kernel of its own", ..
std::string_view matmulInWords(DType dtype);

} // namespace ep::model
