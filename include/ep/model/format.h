// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/dtype.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ep::model {

// Who decides which type each tensor of a model gets (docs/model-formats.md).
enum class FormatRule : std::uint8_t {
    Plain, // all weights have one plain type
    Ggml, // llama.cpp's llama-quantize
    Projections, // bitsandbytes, torchao, compressed-tensors: not the embedding and the head
    Experts, // gpt-oss: only the experts, where there are any; otherwise as Projections
    Mlx, // mlx-lm: all matrices whose rows divide, with the embedding and the head
};

// A format of a whole model, by the name that people use for its files.
struct FormatRow {
    std::string_view name; // "q4_k_m"
    DType dtype = DType::F32; // the type of most matrices, if their rows divide
    FormatRule rule = FormatRule::Plain;
    int file_type = -1; // general.file_type in GGUF; -1: there is none
    std::string_view short_name{}; // another name in llama-quantize
};

// Sorted from the smallest to the largest.
inline constexpr std::array<FormatRow, 30> kFormats{
    {{"mlx2", DType::Mlx2, FormatRule::Mlx},
     {"q2_k", DType::Q2_K, FormatRule::Ggml, 10},
     {"mlx3", DType::Mlx3, FormatRule::Mlx},
     {"q3_k_s", DType::Q3_K, FormatRule::Ggml, 11},
     {"q3_k_m", DType::Q3_K, FormatRule::Ggml, 12, "q3_k"},
     {"mxfp4", DType::Mxfp4, FormatRule::Experts},
     {"q3_k_l", DType::Q3_K, FormatRule::Ggml, 13},
     {"iq4_xs", DType::IQ4_XS, FormatRule::Ggml, 30},
     {"mlx4", DType::Mlx4, FormatRule::Mlx},
     {"nvfp4", DType::Nvfp4, FormatRule::Projections},
     {"q4_0", DType::Q4_0, FormatRule::Ggml, 2},
     {"iq4_nl", DType::IQ4_NL, FormatRule::Ggml, 25},
     {"q4_k_s", DType::Q4_K, FormatRule::Ggml, 14},
     {"q4_k_m", DType::Q4_K, FormatRule::Ggml, 15, "q4_k"},
     {"mxfp4_moe", DType::Mxfp4, FormatRule::Ggml, 38},
     {"q4_1", DType::Q4_1, FormatRule::Ggml, 3},
     {"mlx5", DType::Mlx5, FormatRule::Mlx},
     {"q5_0", DType::Q5_0, FormatRule::Ggml, 8},
     {"q5_k_s", DType::Q5_K, FormatRule::Ggml, 16},
     {"q5_k_m", DType::Q5_K, FormatRule::Ggml, 17, "q5_k"},
     {"q5_1", DType::Q5_1, FormatRule::Ggml, 9},
     {"mlx6", DType::Mlx6, FormatRule::Mlx},
     {"q6_k", DType::Q6_K, FormatRule::Ggml, 18},
     {"fp8", DType::Fp8, FormatRule::Projections},
     {"int8", DType::Int8, FormatRule::Projections},
     {"q8_0", DType::Q8_0, FormatRule::Ggml, 7},
     {"mlx8", DType::Mlx8, FormatRule::Mlx},
     {"bf16", DType::BF16, FormatRule::Plain, 32},
     {"f16", DType::F16, FormatRule::Plain, 1},
     {"f32", DType::F32, FormatRule::Plain, 0}}};

// The format of that name or short name; null: there is none.
const FormatRow* formatFromName(std::string_view word);

// The words that users can choose: "auto" (as stored) and the names of the formats.
const std::vector<std::string>& formatChoices();
std::string formatChoicesText(); // "auto, mlx2, .. and f32"
bool isFormatChoice(std::string_view word); // also a short name
// The name of the type of most matrices; returns any other word unchanged.
std::string mainTypeName(std::string_view word);
// The full name for a short name; returns any other word unchanged.
std::string formatName(std::string_view word);

} // namespace ep::model
