// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "packed/packed_fields.h"
#include "packed_folders.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

// Changes of the fields of a packed model, and the files of the changed model.
namespace ep::fuzz {

inline constexpr std::array<const char*, 14> kTypes{"F32", "F16", "BF16",    "F64",    "I64",
                                                    "I32", "I16", "I8",      "U8",     "U32",
                                                    "U16", "F4",  "F8_E4M3", "F8_E5M2"};

// A different count; `n` is the old one.
inline std::int64_t otherCount(std::int64_t count, unsigned choice)
{
    const std::int64_t n = std::min<std::int64_t>(count, 1LL << 40);
    const std::array<std::int64_t, 20> counts{
        0,         1,         2,           n - 1,       n + 1,
        2 * n,     n / 2,     n + 2,       n * 4,       16,
        31,        32,        33,          64,          n + 16,
        1LL << 31, 1LL << 40, (1LL << 62), (1LL << 59), std::numeric_limits<std::int64_t>::max()};
    return std::max<std::int64_t>(0, counts[choice % counts.size()]);
}

// The bits of a different value.
inline std::uint64_t otherBits(unsigned choice)
{
    constexpr std::array<std::uint64_t, 20> kBits{0,
                                                  1,
                                                  2,
                                                  3,
                                                  15,
                                                  ~0ULL,
                                                  ~0ULL - 3,
                                                  0x7FFFFFFF,
                                                  0x80000000,
                                                  0x8000000000000000ULL,
                                                  0x7FFFFFFFFFFFFFFFULL,
                                                  0x7FC00000,
                                                  0x7F800000,
                                                  0x7F,
                                                  0xFF,
                                                  0x10000,
                                                  0x7C00,
                                                  1ULL << 40,
                                                  1000000000,
                                                  64};
    return kBits[choice % kBits.size()];
}

// Gives the field as many bytes as its type and shape need, if they are not too many.
inline void fit(Field& field, bool gguf)
{
    constexpr std::int64_t kMost = 1 << 16;
    if (gguf)
        return; // too few or too many bytes are a case of their own
    std::int64_t bytes = field.type == "F4" ? 1 : bytesOfType(field.type);
    for (const std::int64_t extent : field.shape) {
        if (extent > kMost || (bytes *= extent) > kMost)
            return;
    }
    field.bytes.resize(static_cast<std::size_t>(field.type == "F4" ? bytes / 2 : bytes), '\1');
}

inline void changeShape(Field& field, unsigned kind, unsigned choice)
{
    auto& shape = field.shape;
    switch (kind) {
    case 0:
        shape.clear();
        break;
    case 1:
        shape.insert(shape.begin(), otherCount(1, choice));
        break;
    case 2:
        shape.push_back(otherCount(1, choice));
        break;
    case 3:
        if (!shape.empty())
            shape.pop_back();
        break;
    case 4:
        std::reverse(shape.begin(), shape.end());
        break;
    default:
        if (!shape.empty()) {
            std::int64_t& extent = shape[kind % shape.size()];
            extent = otherCount(extent, choice);
        }
        break;
    }
}

inline void changeValues(Field& field, unsigned place, unsigned choice)
{
    const auto size = static_cast<std::size_t>(bytesOfType(field.type));
    const std::uint64_t bits = otherBits(choice);
    const std::size_t count = field.bytes.size() / size;
    for (std::size_t i = 0; i < count; ++i) {
        if (place == 255 || i == place % count || (place == 254 && i > 0))
            std::memcpy(field.bytes.data() + i * size, &bits, size);
    }
}

// An ending of any layout, instead of the field's own.
inline void rename(Field& field, unsigned choice)
{
    const auto rows = ep::model::packedFields();
    const std::string prefix(kMatrix);
    field.name = prefix + std::string(rows[choice % rows.size()].ending);
    if (choice % 7 == 0)
        field.name = prefix + ".weight";
}

inline void changeKey(Key& key, bool gguf, unsigned kind, unsigned choice)
{
    if (!gguf) {
        constexpr std::array<const char*, 10> kValues{
            "null", "-1", "0", "\"x\"", "[]", "1e300", "true", "{}", "2.5", "99999999999"};
        const std::int64_t count = otherCount(std::atoll(key.value.c_str()), choice);
        key.value = kind % 2 == 0 ? std::to_string(count) : kValues[choice % kValues.size()];
        return;
    }
    // Changes the type of the value, that of a list's entries, the number of entries or the value.
    const std::uint64_t bits = otherBits(choice);
    const std::size_t place = std::min<std::size_t>(kind % 4 * 4, key.value.size());
    const std::uint64_t type = choice % 14;
    const bool ofType = place == 0 || kind % 8 == 1;
    std::memcpy(key.value.data() + place, ofType ? &type : &bits,
                std::min<std::size_t>(place == 8 ? 8 : 4, key.value.size() - place));
}

inline void change(PackedFolder& folder, const std::uint8_t* step)
{
    if (folder.fields.empty())
        return;
    const std::size_t index = step[1] % folder.fields.size();
    Field& field = folder.fields[index];
    const auto kinds = static_cast<unsigned>(step[0] % 12);
    switch (kinds) {
    case 0:
        field.type = folder.gguf ? std::to_string(step[2] % 64) : kTypes[step[2] % kTypes.size()];
        fit(field, folder.gguf);
        break;
    case 1: // another type for the same bytes
        field.type = folder.gguf ? std::to_string(otherBits(step[2]) & 0xFFFFFFFFU)
                                 : kTypes[step[2] % kTypes.size()];
        if (!field.shape.empty() && !folder.gguf && field.shape.back() < 1LL << 40) {
            field.shape.back() = field.shape.back() * 4 / bytesOfType(field.type);
            fit(field, false);
        }
        break;
    case 2:
    case 3:
    case 4:
        changeShape(field, step[2] % 10U, step[3]);
        fit(field, folder.gguf);
        break;
    case 5:
    case 6:
        changeValues(field, step[2], step[3]);
        break;
    case 7:
        folder.fields.erase(folder.fields.begin() + static_cast<std::ptrdiff_t>(index));
        break;
    case 8: { // adds the same field with another ending
        Field copy = field;
        rename(copy, step[2]);
        folder.fields.push_back(copy);
        break;
    }
    case 9:
        rename(field, step[2]);
        break;
    case 10:
        field.offset = folder.gguf ? otherBits(step[2]) : step[2] % 8U;
        if (!folder.gguf && step[3] % 2 == 0)
            field.bytes.resize(step[2]);
        break;
    default:
        if (!folder.config.empty())
            changeKey(folder.config[step[1] % folder.config.size()], folder.gguf, step[2], step[3]);
        break;
    }
}

inline std::string configOf(const PackedFolder& folder)
{
    std::string text = R"({"model_type": ")" + folder.family + R"(", "architectures": [")"
        + (folder.family == "llama"         ? "LlamaForCausalLM"
               : folder.family == "gpt_oss" ? "GptOssForCausalLM"
                                            : "Qwen3MoeForCausalLM")
        + R"("], "hidden_size": 64, "intermediate_size": 32, "moe_intermediate_size": 32,
        "num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 2, "head_dim": 32,
        "num_experts": 2, "num_local_experts": 2, "num_experts_per_tok": 1, "vocab_size": 64,
        "sliding_window": 16, "layer_types": ["full_attention"], ")"
        + folder.group + "\": {";
    std::string between;
    if (!folder.method.empty()) {
        text += "\"quant_method\": \"" + folder.method + '"';
        between = ", ";
    }
    for (const auto& [name, value] : folder.config) {
        text += between + '"' + name + "\": " + value;
        between = ", ";
    }
    return text + "}}";
}

inline std::string safetensorsOf(const PackedFolder& folder)
{
    std::string header = "{";
    std::string data;
    for (const Field& field : folder.fields) {
        data.append(field.offset, '\0');
        std::string shape;
        for (const std::int64_t extent : field.shape)
            shape += (shape.empty() ? "" : ",") + std::to_string(extent);
        header += (header.size() > 1 ? ",\"" : "\"") + field.name + R"(":{"dtype":")" + field.type
            + R"(","shape":[)" + shape + R"(],"data_offsets":[)" + std::to_string(data.size()) + ","
            + std::to_string(data.size() + field.bytes.size()) + "]}";
        data += field.bytes;
    }
    header += "}";
    return rawOf(std::uint64_t{header.size()}) + header + data;
}

inline std::string ggufOf(const PackedFolder& folder)
{
    constexpr std::size_t kAlignment = 32;
    const auto aligned = [](std::string& bytes) {
        bytes.resize((bytes.size() + kAlignment - 1) / kAlignment * kAlignment);
    };
    std::string file = "GGUF" + rawOf(std::uint32_t{3}) + rawOf(std::uint64_t{folder.fields.size()})
        + rawOf(std::uint64_t{folder.config.size()});
    for (const auto& [name, value] : folder.config)
        file += ggufText(name) + value;
    std::string data;
    for (const Field& field : folder.fields) {
        file += ggufText(field.name) + rawOf(static_cast<std::uint32_t>(field.shape.size()));
        for (const std::int64_t extent : field.shape)
            file += rawOf(extent);
        file += rawOf(static_cast<std::uint32_t>(std::stoul(field.type)))
            + rawOf(data.size() + field.offset);
        data += field.bytes;
        aligned(data);
    }
    aligned(file);
    return file + data;
}

} // namespace ep::fuzz
