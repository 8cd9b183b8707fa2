// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Valid models of each packed layout, in memory, as lists of fields that a fuzz target changes.
namespace ep::fuzz {

struct Field {
    std::string name;
    std::string type; // of safetensors; in GGUF the number of the type
    std::vector<std::int64_t> shape;
    std::string bytes{};
    std::uint64_t offset = 0; // GGUF: added to the place of the bytes
};

// A key of config.json, with its value; or of the metadata of a GGUF file, with its bytes.
struct Key {
    std::string name;
    std::string value;
};

struct PackedFolder {
    std::vector<Key> config; // quantization_config, or all metadata of a GGUF file
    std::string group; // the key of config.json that holds them
    std::string method; // value of quant_method; empty: none
    std::string family = "llama";
    std::vector<Field> fields;
    bool gguf = false;
};

inline std::int64_t bytesOfType(std::string_view type)
{
    static constexpr std::pair<std::string_view, std::int64_t> kSizes[] = {
        {"F64", 8}, {"I64", 8}, {"U64", 8}, {"F32", 4},  {"I32", 4},
        {"U32", 4}, {"F16", 2}, {"I16", 2}, {"BF16", 2}, {"U16", 2}};
    const auto* const found = std::find_if(std::begin(kSizes), std::end(kSizes),
                                           [&](const auto& row) { return row.first == type; });
    return found == std::end(kSizes) ? 1 : found->second;
}

// The number 1 in this type, or a small whole number.
inline std::string oneOf(std::string_view type)
{
    const auto bits = [](auto number) {
        return std::string(reinterpret_cast<const char*>(&number), sizeof number);
    };
    if (type == "F32")
        return bits(1.0F);
    if (type == "BF16")
        return bits(std::uint16_t{0x3F80});
    if (type == "F16")
        return bits(std::uint16_t{0x3C00});
    if (type == "F8_E4M3")
        return bits(std::uint8_t{0x38});
    std::string bytes(static_cast<std::size_t>(bytesOfType(type)), '\0');
    bytes.front() = 1;
    return bytes;
}

// A field of ones.
inline Field field(const std::string& name, const std::string& type,
                   const std::vector<std::int64_t>& shape)
{
    Field made{.name = name, .type = type, .shape = shape};
    std::int64_t count = 1;
    for (const std::int64_t extent : shape)
        count *= extent;
    const std::string one = oneOf(type);
    for (std::int64_t i = 0; i < count; ++i)
        made.bytes += one;
    return made;
}

template <typename Number>
Field fieldOf(const std::string& name, const std::string& type, const std::vector<Number>& numbers)
{
    Field made{.name = name, .type = type, .shape = {static_cast<std::int64_t>(numbers.size())}};
    made.bytes.assign(reinterpret_cast<const char*>(numbers.data()),
                      numbers.size() * sizeof(Number));
    return made;
}

inline constexpr std::int64_t kRows = 32;
inline constexpr std::int64_t kColumns = 64;
inline constexpr const char* kMatrix = "model.layers.0.mlp.gate_proj";

inline std::vector<std::int32_t> groupsOfColumns(std::int64_t columns, std::int64_t group,
                                                 bool turn)
{
    std::vector<std::int32_t> groups;
    for (std::int64_t i = 0; i < columns; ++i)
        groups.push_back(static_cast<std::int32_t>((turn ? columns - 1 - i : i) / group));
    return groups;
}

inline PackedFolder fp8(unsigned variant)
{
    const std::int64_t columns = variant & 8U ? kColumns - 1 : kColumns;
    const std::int64_t rows = variant & 16U ? 1 : kRows;
    const std::string x = kMatrix;
    PackedFolder folder{.group = "quantization_config", .method = "fp8"};
    folder.fields = {field(x + ".weight", "F8_E4M3", {rows, columns})};
    const std::string type = variant & 4U ? "BF16" : "F32";
    if (variant % 4 == 0)
        folder.fields.push_back(field(x + ".weight_scale_inv", type, {(rows + 15) / 16, 2}));
    else if (variant % 4 == 1)
        folder.fields.push_back(field(x + ".weight_scale", type, {rows, 1}));
    else if (variant % 4 == 2)
        folder.fields.push_back(field(x + ".weight_scale", type, {}));
    folder.fields.push_back(field(x + ".input_scale", "F32", {1}));
    return folder;
}

inline PackedFolder gptq(unsigned variant)
{
    const int bits = variant % 3 == 0 ? 4 : variant % 3 == 1 ? 8 : 2;
    const std::int64_t group = variant & 4U ? 16 : 32;
    const std::int64_t inWord = 32 / bits;
    const std::string x = kMatrix;
    PackedFolder folder{
        .config = {{"bits", std::to_string(bits)},
                   {"group_size", std::to_string(group)},
                   {"checkpoint_format", variant & 8U ? "\"gptq_v2\"" : "\"gptq\""}},
        .group = "quantization_config",
        .method = "gptq"};
    folder.fields = {field(x + ".qweight", "I32", {kColumns / inWord, kRows}),
                     field(x + ".qzeros", "I32", {kColumns / group, kRows / inWord}),
                     field(x + ".scales", "F16", {kColumns / group, kRows})};
    if (variant & 16U) {
        folder.fields.push_back(
            fieldOf(x + ".g_idx", "I32", groupsOfColumns(kColumns, group, (variant & 32U) != 0)));
    }
    return folder;
}

inline PackedFolder awq(unsigned variant)
{
    const std::int64_t group = variant & 1U ? 16 : 32;
    const std::string x = kMatrix;
    return {
        .config = {{"bits", "4"}, {"group_size", std::to_string(group)}, {"version", "\"gemm\""}},
        .group = "quantization_config",
        .method = "awq",
        .fields = {field(x + ".qweight", "I32", {kColumns, kRows / 8}),
                   field(x + ".qzeros", "I32", {kColumns / group, kRows / 8}),
                   field(x + ".scales", "F16", {kColumns / group, kRows})}};
}

inline PackedFolder compressed(unsigned variant, bool words)
{
    const int bits = !words ? 8 : variant % 3 == 0 ? 4 : variant % 3 == 1 ? 8 : 2;
    const std::int64_t group = variant & 4U ? 16 : 32;
    const std::int64_t groups = kColumns / group;
    const std::int64_t inWord = 32 / bits;
    const std::string x = kMatrix;
    PackedFolder folder{.config = {{"format", words ? "\"pack-quantized\"" : "\"int-quantized\""}},
                        .group = "quantization_config",
                        .method = "compressed-tensors"};
    if (words) {
        folder.fields = {
            field(x + ".weight_packed", "I32", {kRows, kColumns / inWord}),
            fieldOf(x + ".weight_shape", "I64", std::vector<std::int64_t>{kRows, kColumns})};
    } else {
        folder.fields = {field(x + ".weight", "I8", {kRows, kColumns})};
    }
    const bool grouped = (variant & 8U) == 0;
    folder.fields.push_back(grouped ? field(x + ".weight_scale", "BF16", {kRows, groups})
                                    : field(x + ".weight_scale", "BF16", {kRows}));
    const std::int64_t zeros = grouped ? groups : 1;
    if (variant & 16U)
        folder.fields.push_back(field(x + ".weight_zero_point", "I32", {kRows / inWord, zeros}));
    else if (variant & 32U)
        folder.fields.push_back(field(x + ".weight_zero_point", "I8", {kRows, zeros}));
    if (variant & 64U) {
        folder.fields.push_back(
            fieldOf(x + ".weight_g_idx", "I32",
                    groupsOfColumns(kColumns, grouped ? group : kColumns, (variant & 128U) != 0)));
    }
    return folder;
}

inline PackedFolder packedFloats(unsigned variant)
{
    const bool nvfp4 = (variant & 1U) != 0;
    const std::string x = kMatrix;
    PackedFolder folder{.config = {{"format", "\"nvfp4-pack-quantized\""}},
                        .group = "quantization_config",
                        .method = "compressed-tensors"};
    folder.fields = {field(x + ".weight_packed", "U8", {kRows, kColumns / 2}),
                     field(x + ".weight_scale", nvfp4 ? "F8_E4M3" : "U8",
                           {kRows, kColumns / (nvfp4 ? 16 : 32)})};
    if (variant & 2U)
        folder.fields.push_back(field(x + ".weight_global_scale", "F32", {1}));
    return folder;
}

inline PackedFolder gptOss(unsigned variant)
{
    const std::string x = "model.layers.0.mlp.experts.gate_up_proj";
    std::vector<std::int64_t> shape{kRows, kColumns / 32};
    if (variant & 1U)
        shape.insert(shape.begin(), 2);
    std::vector<std::int64_t> blocks = shape;
    blocks.push_back(16);
    return {.group = "quantization_config",
            .method = "mxfp4",
            .family = "gpt_oss",
            .fields = {field(x + "_blocks", "U8", blocks), field(x + "_scales", "U8", shape)}};
}

inline PackedFolder fourBits(unsigned variant)
{
    const bool nested = (variant & 1U) != 0;
    const std::string x = std::string(kMatrix) + ".weight";
    const std::int64_t blocks = kRows * kColumns / 64;
    const std::string state = R"({"shape": [32, 64], "blocksize": 64, "nested_blocksize": 16})";
    PackedFolder folder{.group = "quantization_config", .method = "bitsandbytes"};
    folder.config = {{"load_in_4bit", "true"}};
    folder.fields = {field(x, "U8", {kRows * kColumns / 2, 1}),
                     field(x + ".absmax", nested ? "U8" : "F32", {blocks}),
                     field(x + ".quant_map", "F32", {16}),
                     {x + ".quant_state.bitsandbytes__" + (variant & 2U ? "nf4" : "fp4"),
                      "U8",
                      {static_cast<std::int64_t>(state.size())},
                      state}};
    if (nested) {
        folder.fields.push_back(field(x + ".nested_quant_map", "F32", {256}));
        folder.fields.push_back(field(x + ".nested_absmax", "F32", {blocks / 16}));
    }
    return folder;
}

inline PackedFolder eightBits(unsigned)
{
    const std::string x = kMatrix;
    return {.config = {{"load_in_8bit", "true"}},
            .group = "quantization_config",
            .method = "bitsandbytes",
            .fields = {field(x + ".weight", "I8", {kRows, kColumns}),
                       field(x + ".SCB", "F32", {kRows}), field(x + ".weight_format", "U8", {1})}};
}

inline PackedFolder mlx(unsigned variant)
{
    static constexpr int kBits[] = {4, 8, 1, 2, 3, 5, 6, 0}; // 0: a mode of floats
    const bool stack = (variant & 8U) != 0;
    const int bits = kBits[variant % 8];
    const bool nvfp4 = (variant & 16U) != 0;
    const std::string x = stack ? "model.layers.0.mlp.switch_mlp.gate_proj" : kMatrix;
    PackedFolder folder{.group = "quantization", .family = stack ? "qwen3_moe" : "llama"};
    const std::int64_t group = bits > 0 ? 32 : nvfp4 ? 16 : 32;
    folder.config = {{"bits", std::to_string(bits > 0 ? bits : 4)},
                     {"group_size", std::to_string(group)}};
    if (bits == 0)
        folder.config.push_back({"mode", nvfp4 ? "\"nvfp4\"" : "\"mxfp4\""});
    const std::int64_t width = bits > 0 ? bits : 4;
    std::vector<std::int64_t> rows{kRows};
    if (stack)
        rows.insert(rows.begin(), 2);
    const auto shape = [&](std::int64_t last) {
        std::vector<std::int64_t> whole = rows;
        whole.push_back(last);
        return whole;
    };
    folder.fields = {field(x + ".weight", "U32", shape(kColumns * width / 32)),
                     field(x + ".scales", bits > 0 ? "BF16" : "U8", shape(kColumns / group))};
    if (bits > 0)
        folder.fields.push_back(field(x + ".biases", "BF16", shape(kColumns / group)));
    else if (nvfp4)
        folder.fields.push_back(
            field(x + ".global_scale", "F32",
                  stack ? std::vector<std::int64_t>{2} : std::vector<std::int64_t>{}));
    return folder;
}

template <typename Number>
std::string rawOf(Number number)
{
    return {reinterpret_cast<const char*>(&number), sizeof number};
}

inline std::string ggufText(std::string_view text)
{
    return rawOf(std::uint64_t{text.size()}) + std::string(text);
}

// Numbers and sizes of ggml's types: bytes of a block of 256 values, or of the blocks that hold as
// many.
inline constexpr std::pair<unsigned, std::int64_t> kGgmlTypes[] = {
    {0, 1024}, {1, 512},   {2, 144},   {3, 160},   {6, 176},  {7, 192},  {8, 272},
    {10, 84},  {11, 110},  {12, 144},  {13, 176},  {14, 210}, {16, 66},  {17, 74},
    {18, 98},  {19, 50},   {20, 144},  {21, 110},  {22, 82},  {23, 136}, {24, 256},
    {25, 512}, {26, 1024}, {27, 2048}, {28, 2048}, {29, 56},  {30, 512}, {34, 54},
    {35, 66},  {39, 136},  {40, 144},  {41, 36},   {42, 72}};

inline PackedFolder gguf(unsigned variant)
{
    const auto& [type, bytes] = kGgmlTypes[variant % std::size(kGgmlTypes)];
    const bool experts = (variant & 128U) != 0;
    PackedFolder folder{.gguf = true};
    const std::string family = experts ? "qwen3moe" : "llama";
    const auto number = [&](const char* name, std::uint32_t value) {
        folder.config.push_back({family + "." + name, rawOf(std::uint32_t{4}) + rawOf(value)});
    };
    folder.config.push_back({"general.architecture", rawOf(std::uint32_t{8}) + ggufText(family)});
    number("embedding_length", 256);
    number("block_count", 1);
    number("attention.head_count", 4);
    number("attention.head_count_kv", 2);
    number("feed_forward_length", 4);
    number("context_length", 128);
    if (experts) {
        number("expert_count", 2);
        number("expert_used_count", 1);
        number("expert_feed_forward_length", 4);
    }
    folder.config.push_back(
        {"general.alignment", rawOf(std::uint32_t{4}) + rawOf(std::uint32_t{32})});
    folder.config.push_back({"tokenizer.ggml.tokens",
                             rawOf(std::uint32_t{9}) + rawOf(std::uint32_t{8})
                                 + rawOf(std::uint64_t{2}) + ggufText("a") + ggufText("b")});
    const std::string part = experts ? "blk.0.ffn_gate_exps" : "blk.0.ffn_gate";
    std::vector<std::int64_t> shape{256, 4};
    if (experts)
        shape.push_back(2);
    const std::int64_t blocks = experts ? 8 : 4;
    folder.fields = {{"token_embd.weight", "0", {256, 2}, std::string(2048, '\0')},
                     {part + ".weight", std::to_string(type), shape,
                      std::string(static_cast<std::size_t>(bytes * blocks), '\0')},
                     {part + ".scale", "0", {experts ? 2 : 1}, std::string(experts ? 8 : 4, '\0')},
                     {"rope_freqs.weight", "0", {32}, std::string(128, '?')}};
    return folder;
}

struct PackedKind {
    const char* name;
    PackedFolder (*make)(unsigned variant);
};
inline constexpr PackedKind kPackedKinds[] = {
    {"fp8", fp8},
    {"gptq", gptq},
    {"awq", awq},
    {"words", [](unsigned variant) { return compressed(variant, true); }},
    {"bytes", [](unsigned variant) { return compressed(variant, false); }},
    {"nvfp4, mxfp4", packedFloats},
    {"gpt-oss", gptOss},
    {"bitsandbytes 4", fourBits},
    {"bitsandbytes 8", eightBits},
    {"mlx", mlx},
    {"gguf", gguf}};

} // namespace ep::fuzz
