// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ep::model {

// Int8: our own weight-only quantisation; no file is stored so. From Q8_0 on: quantised in blocks,
// in the layouts of ggml (block_layouts.h in the kernels' folder), or in MLX's, whose scales and
// biases are stored apart.
enum class DType : std::uint8_t {
    F32,
    BF16,
    F16,
    Int8,
    Q8_0,
    Q4_0,
    Q4_K,
    Q5_K,
    Q6_K,
    Mlx4,
    Mlx6,
    Mlx8,
};

// The number formats that the engine computes from, and what they are called where.
struct DTypeRow {
    DType dtype = DType::F32;
    std::string_view name; // here and on the command line
    std::int64_t bytes = 0; // of one number, or of a block of them
    std::int64_t block = 1; // numbers in a block
    std::string_view stored; // in a checkpoint; empty: no file is stored so
    std::string_view config; // in config.json
    bool offered = true; // whether a person may ask for it
};
inline constexpr std::array<DTypeRow, 12> kDTypes{
    {{DType::F32, "f32", 4, 1, "F32", "float32"},
     {DType::BF16, "bf16", 2, 1, "BF16", "bfloat16"},
     {DType::F16, "f16", 2, 1, "F16", "float16"},
     {DType::Int8, "int8", 1, 1, "", ""},
     {DType::Q8_0, "q8_0", 34, 32, "Q8_0", ""},
     {DType::Q4_0, "q4_0", 18, 32, "Q4_0", ""},
     {DType::Q4_K, "q4_k", 144, 256, "Q4_K", ""},
     {DType::Q5_K, "q5_k", 176, 256, "Q5_K", "", false},
     {DType::Q6_K, "q6_k", 210, 256, "Q6_K", "", false},
     {DType::Mlx4, "mlx4", 16, 32, "MLX4", ""},
     {DType::Mlx6, "mlx6", 24, 32, "MLX6", "", false},
     {DType::Mlx8, "mlx8", 32, 32, "MLX8", "", false}}};

constexpr const DTypeRow& rowOf(DType dtype)
{
    return kDTypes[static_cast<std::size_t>(dtype)];
}
constexpr std::string_view name(DType dtype)
{
    return rowOf(dtype).name;
}
// In blocks with scales of their own, as files store them.
constexpr bool inBlocks(DType dtype)
{
    return rowOf(dtype).block > 1;
}
// Of numbers that fill whole blocks.
constexpr std::int64_t bytesOf(DType dtype, std::int64_t numbers)
{
    return numbers / rowOf(dtype).block * rowOf(dtype).bytes;
}
constexpr bool isMlx(DType dtype)
{
    return dtype >= DType::Mlx4;
}
// With scales; MLX's usual groups are 64, with two numbers of 16 bits.
constexpr double bytesOfNumber(DType dtype)
{
    return static_cast<double>(rowOf(dtype).bytes) / static_cast<double>(rowOf(dtype).block)
        + (isMlx(dtype) ? 4.0 / 64.0 : 0.0);
}

std::optional<DType> dtypeFromName(std::string_view word);
std::optional<DType> dtypeFromStored(std::string_view word); // of safetensors and GGUF
std::optional<DType> dtypeFromConfig(std::string_view word); // of config.json

// What a person may ask for: "auto", as stored, and the names.
const std::vector<std::string>& dtypeChoices();
std::string dtypeChoicesText(); // "auto, f32, bf16, f16 and int8"

} // namespace ep::model
