// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ep::model {

// Int8: our own weight-only quantisation; no file is stored so.
enum class DType : std::uint8_t { F32, BF16, F16, Int8 };

// The number formats that the engine computes from, and what they are called where.
struct DTypeRow {
    DType dtype = DType::F32;
    std::string_view name; // here and on the command line
    std::int64_t bytes = 0; // of one number
    std::string_view stored; // in safetensors files; empty: no file is stored so
    std::string_view config; // in config.json
};
inline constexpr std::array<DTypeRow, 4> kDTypes{{{DType::F32, "f32", 4, "F32", "float32"},
                                                  {DType::BF16, "bf16", 2, "BF16", "bfloat16"},
                                                  {DType::F16, "f16", 2, "F16", "float16"},
                                                  {DType::Int8, "int8", 1, "", ""}}};

constexpr const DTypeRow& rowOf(DType dtype)
{
    return kDTypes[static_cast<std::size_t>(dtype)];
}
constexpr std::string_view name(DType dtype)
{
    return rowOf(dtype).name;
}

std::optional<DType> dtypeFromName(std::string_view word);
std::optional<DType> dtypeFromStored(std::string_view word); // of safetensors
std::optional<DType> dtypeFromConfig(std::string_view word); // of config.json

// What a person may ask for: "auto", as stored, and the names.
const std::vector<std::string>& dtypeChoices();
std::string dtypeChoicesText(); // "auto, f32, bf16, f16 and int8"

} // namespace ep::model
