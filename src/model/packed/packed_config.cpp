// SPDX-License-Identifier: GPL-3.0-or-later
#include "packed/packed_config.h"

#include "ep/json/document.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace ep::model {
namespace {

constexpr int kMaxPackedBits = 64;
constexpr int kMaxPackedGroup = 1 << 20;
constexpr std::uint64_t kMaxMethodBytes = 1'000'000;

// The supported methods in quantization_config, and names of others.
struct MethodRow {
    std::string_view word;
    PackedMethod method;
};
constexpr std::array<MethodRow, 7> kMethods{
    {{"gptq", PackedMethod::Gptq},
     {"awq", PackedMethod::Awq},
     {"compressed-tensors", PackedMethod::CompressedTensors},
     {"fp8", PackedMethod::Fp8},
     {"fbgemm_fp8", PackedMethod::Fp8},
     {"mxfp4", PackedMethod::Mxfp4},
     {"bitsandbytes", PackedMethod::BitsAndBytes}}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kMethodNames{
    {{"gptq", "GPTQ"},
     {"awq", "AWQ"},
     {"aqlm", "AQLM"},
     {"hqq", "HQQ"},
     {"eetq", "EETQ"},
     {"quanto", "Quanto"},
     {"torchao", "torchao"},
     {"vptq", "VPTQ"},
     {"exl2", "EXL2"}}};

constexpr std::array<std::string_view, 8> kCompressed{
    "pack-quantized",       "int-quantized", "naive-quantized",      "float-quantized",
    "nvfp4-pack-quantized", "nvfp4-pack",    "mxfp4-pack-quantized", "dense"};

std::string methodName(const std::string& word)
{
    const auto* const found = std::find_if(kMethodNames.begin(), kMethodNames.end(),
                                           [&](const auto& row) { return row.first == word; });
    return found == kMethodNames.end() ? word : std::string(found->second);
}

// The method's word; older writers used other keys.
std::string methodIn(const json::Value& object)
{
    for (const char* const key : {"quant_method", "quantization_method"}) {
        const auto method = object.find(key);
        if (method && method->isString())
            return method->asString();
    }
    if (object.has("config_groups") || object.has("format"))
        return "compressed-tensors";
    if (object.has("load_in_4bit") || object.has("load_in_8bit"))
        return "bitsandbytes";
    return {};
}

PackedSettings readObject(const json::Value& object, const std::string& word,
                          std::string& unsupported)
{
    PackedSettings settings;
    const auto* const found = std::find_if(kMethods.begin(), kMethods.end(),
                                           [&](const MethodRow& m) { return m.word == word; });
    if (found == kMethods.end()) {
        unsupported = word.empty() ? "unknown method" : methodName(word);
        return settings;
    }
    settings.method = found->method;
    const auto refuse = [&](const std::string& what) {
        unsupported = methodName(word) + ", " + what;
    };
    switch (found->method) {
    case PackedMethod::Gptq:
        settings.bits = object.integer("bits", 4, 1, kMaxPackedBits);
        settings.group = object.integer("group_size", 128, -1, kMaxPackedGroup);
        settings.zeros_are_one_less = object.string("checkpoint_format", "gptq") != "gptq_v2";
        if (settings.bits != 2 && settings.bits != 4 && settings.bits != 8)
            refuse(Message("%1 bits", settings.bits));
        break;
    case PackedMethod::Awq: {
        const int bits = object.integer("w_bit", 4, 1, kMaxPackedBits); // name in older files
        const int group = object.integer("q_group_size", 128, -1, kMaxPackedGroup);
        settings.bits = object.integer("bits", bits, 1, kMaxPackedBits);
        settings.group = object.integer("group_size", group, -1, kMaxPackedGroup);
        const std::string version = object.string("version", "gemm");
        if (settings.bits != 4)
            refuse(Message("%1 bits", settings.bits));
        else if (version != "gemm" && version != "GEMM")
            refuse(Message("version %1", version));
        break;
    }
    case PackedMethod::CompressedTensors: {
        const std::string format = object.string("format", "dense");
        // "mixed-precision": each group of modules states its own settings.
        if (format != "mixed-precision"
            && std::find(kCompressed.begin(), kCompressed.end(), format) == kCompressed.end())
            refuse(Message("format %1", format));
        break;
    }
    default: // the tensors show it
        break;
    }
    return settings;
}

} // namespace

PackedSettings readPacked(const json::Value& config, const std::filesystem::path& folder,
                          std::string& unsupported)
{
    for (const char* const key : {"quantization_config", "compression_config"}) {
        const auto object = config.find(key);
        if (!object || !object->isObject())
            continue;
        return readObject(*object, methodIn(*object), unsupported);
    }
    for (const auto& [file, word] :
         {std::pair("quantize_config.json", "gptq"), std::pair("quant_config.json", "awq")}) {
        std::error_code ignored;
        const auto path = folder / file;
        if (!std::filesystem::exists(path, ignored))
            continue;
        const auto json = json::readFile(path, kMaxMethodBytes);
        if (!json) {
            unsupported = methodName(word);
            return {};
        }
        return readObject(json::Value(*json), word, unsupported);
    }
    return {};
}

} // namespace ep::model
