// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/model/config.h"

#include "config_parts.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <system_error>
#include <utility>

namespace ep::model {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kMaxConfigBytes = 16'000'000;

constexpr int kMaxVocabulary = 1 << 24;
constexpr int kMaxHeadDim = 4096;

std::vector<std::int32_t> readTokenIds(JsonObject& object, const char* key)
{
    std::vector<std::int32_t> ids;
    if (!object.has(key))
        return ids;
    const Json& value = object.at(key);
    const Json list = value.is_array() ? value : Json::array({value});
    for (const Json& id : list) {
        if (!id.is_number_integer() || id.get<std::int64_t>() < 0
            || id.get<std::int64_t>() >= kMaxVocabulary) {
            object.fail(std::string(key) + " must be a token id or a list of them.");
            return {};
        }
        ids.push_back(id.get<std::int32_t>());
    }
    return ids;
}

std::optional<DType> readStoredDType(JsonObject& config)
{
    const std::string word = config.string("dtype", config.string("torch_dtype", ""));
    if (word == "float32")
        return DType::F32;
    if (word == "float16")
        return DType::F16;
    if (word == "bfloat16")
        return DType::BF16;
    return std::nullopt;
}

// GPTQ, AWQ and so on; older tools left a file of their own in place of the key.
std::string readQuantization(const JsonObject& config, const std::filesystem::path& folder)
{
    for (const char* const key : {"quantization_config", "compression_config"}) {
        if (!config.has(key))
            continue;
        const Json& quantization = config.at(key);
        for (const char* const name : {"quant_method", "quantization_method", "format"}) {
            if (quantization.is_object() && quantization.contains(name)
                && quantization[name].is_string())
                return quantization[name].get<std::string>();
        }
        return "unknown method";
    }
    std::error_code ignored;
    if (std::filesystem::exists(folder / "quantize_config.json", ignored))
        return "gptq";
    if (std::filesystem::exists(folder / "quant_config.json", ignored))
        return "awq";
    return {};
}

// The name that the config uses for a size: families before Llama had others.
const char* either(const JsonObject& config, const char* name, const char* older)
{
    return !config.has(name) && config.has(older) ? older : name;
}

std::optional<int> orMissing(int fallback)
{
    return fallback == 0 ? std::nullopt : std::optional(fallback);
}

void readSizes(JsonObject& config, ModelConfig& out, const ConfigDefaults& defaults)
{
    out.hidden_size = config.integer(either(config, "hidden_size", "n_embd"),
                                     orMissing(defaults.hidden_size), 1, kMaxWidth);
    const int widened = std::min(defaults.mlp_ratio * out.hidden_size, kMaxWidth);
    out.intermediate_size =
        config.integer(either(config, "intermediate_size", "n_inner"),
                       orMissing(widened ? widened : defaults.intermediate_size), 1, kMaxWidth);
    out.num_hidden_layers = config.integer(either(config, "num_hidden_layers", "n_layer"),
                                           orMissing(defaults.layers), 1, kMaxLayers);
    out.num_attention_heads = config.integer(either(config, "num_attention_heads", "n_head"),
                                             orMissing(defaults.heads), 1, kMaxWidth);
    // Null means as many as attention heads; left out means what the family assumes.
    const bool asHeads = defaults.kv_heads == 0 || config.contains("num_key_value_heads");
    out.num_key_value_heads = config.integer(
        "num_key_value_heads", asHeads ? out.num_attention_heads : defaults.kv_heads, 1, kMaxWidth);
    out.vocab_size =
        config.integer("vocab_size", orMissing(defaults.vocabulary), 1, kMaxVocabulary);
    out.max_position_embeddings =
        config.integer(either(config, "max_position_embeddings", "n_positions"),
                       defaults.max_position_embeddings, 1, kMaxPositions);
    const bool needsHeadDim = defaults.head_dim == 0 && !config.has("head_dim");
    if (needsHeadDim && out.hidden_size % out.num_attention_heads != 0)
        config.fail("hidden_size is not a multiple of num_attention_heads.");
    const int headDim = needsHeadDim ? std::max(1, out.hidden_size / out.num_attention_heads)
                                     : std::max(1, defaults.head_dim);
    out.head_dim = config.integer("head_dim", std::min(headDim, kMaxHeadDim), 1, kMaxHeadDim);
    if (out.num_attention_heads % out.num_key_value_heads != 0)
        config.fail("num_attention_heads is not a multiple of num_key_value_heads.");
    if (static_cast<std::int64_t>(out.num_attention_heads) * out.head_dim > kMaxWidth)
        config.fail("num_attention_heads x head_dim is larger than any model has.");
}

// What differs in the arithmetic: norms, biases, activation.
void readArithmetic(JsonObject& config, ModelConfig& out, const ConfigDefaults& defaults)
{
    out.rms_norm_eps = config.number("rms_norm_eps", defaults.rms_norm_eps, 0.0, 1.0);
    out.layer_norm_eps =
        config.number(either(config, "layer_norm_eps", "layer_norm_epsilon"), 1e-5, 0.0, 1.0);
    out.hidden_act = config.string(defaults.activation_key, std::string(defaults.hidden_act));
    out.attention_bias = config.boolean(defaults.attention_bias_key, defaults.attention_bias);
    out.mlp_bias = config.boolean("mlp_bias", false);
    out.qk_layernorm = config.boolean("qk_layernorm", false);
    out.parallel_residual = config.boolean("use_parallel_residual", defaults.parallel_residual);
}

Status readGenerationConfig(const std::filesystem::path& folder, ModelConfig& out)
{
    const auto path = folder / "generation_config.json";
    const auto json = readJsonFile(path, kMaxConfigBytes);
    if (!json && json.error().code == ErrorCode::NotFound)
        return {};
    if (!json)
        return json.error();
    JsonObject generation(*json, path.string());
    if (generation.has("eos_token_id"))
        out.eos_token_ids = readTokenIds(generation, "eos_token_id");
    if (const auto& problem = generation.problem())
        return *problem;
    return {};
}

} // namespace

std::string_view name(DType dtype)
{
    switch (dtype) {
    case DType::F32:
        return "f32";
    case DType::F16:
        return "f16";
    case DType::BF16:
        return "bf16";
    case DType::Int8:
        return "int8";
    }
    return "";
}

std::optional<DType> dtypeFromName(std::string_view word)
{
    for (const DType dtype : {DType::F32, DType::F16, DType::BF16, DType::Int8}) {
        if (name(dtype) == word)
            return dtype;
    }
    return std::nullopt;
}

std::optional<int> ModelConfig::windowOf(int layer) const
{
    const auto index = static_cast<std::size_t>(layer);
    if (!windowed_layers.empty() && !windowed_layers[index])
        return std::nullopt;
    return sliding_window;
}

int ModelConfig::contextLength() const
{
    if (rope.scaling.kind != RopeScaling::Kind::Dynamic)
        return max_position_embeddings;
    const double stretched = max_position_embeddings * std::max(1.0, rope.scaling.factor);
    return static_cast<int>(std::min(stretched, static_cast<double>(kMaxPositions)));
}

bool ModelConfig::hasExperts(int layer) const
{
    return !moe.layers.empty() && moe.layers[static_cast<std::size_t>(layer)];
}

int ModelConfig::rotaryDim() const
{
    return static_cast<int>(static_cast<double>(head_dim) * partial_rotary_factor) / 2 * 2;
}

Result<ModelConfig> readModelConfig(const std::filesystem::path& folder)
{
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder, ignored)) {
        return Error{ErrorCode::NotFound,
                     "There is no folder " + folder.string()
                         + ": choose the folder of a downloaded HuggingFace model."};
    }
    const auto path = folder / "config.json";
    const auto json = readJsonFile(path, kMaxConfigBytes);
    if (!json && json.error().code == ErrorCode::NotFound) {
        return Error{ErrorCode::NotFound,
                     folder.string()
                         + " has no config.json: choose the folder of a downloaded HuggingFace "
                           "model."};
    }
    if (!json)
        return json.error();

    JsonObject top(*json, path.string());
    ModelConfig out;
    if (top.has("architectures") && top.at("architectures").is_array()
        && !top.at("architectures").empty() && top.at("architectures")[0].is_string())
        out.architecture = top.at("architectures")[0].get<std::string>();
    if (out.architecture.empty()) {
        return Error{ErrorCode::InvalidInput,
                     path.string()
                         + " names no architecture: add \"architectures\", for example "
                           "[\"LlamaForCausalLM\"]."};
    }
    out.quantization = readQuantization(top, folder);
    // A model of text and images keeps the sizes of its text part in an object of their own.
    const bool nested = top.has("text_config") && top.at("text_config").is_object();
    JsonObject config(nested ? top.at("text_config") : *json,
                      path.string() + (nested ? ", text_config" : ""));
    out.model_type = config.string("model_type", top.string("model_type", ""));
    if (out.model_type == "gemma3")
        out.model_type = "gemma3_text";
    // Sizes of an architecture that we do not know may have other names: leave them.
    if (const Status supported = checkSupported(out); !supported)
        return out;

    const Family& family = familyOfType(out.model_type);
    const ConfigDefaults& defaults = family.defaults;
    readSizes(config, out, defaults);
    readArithmetic(config, out, defaults);
    const bool tied = config.boolean("tie_word_embeddings", defaults.tied);
    out.tie_word_embeddings = nested ? top.boolean("tie_word_embeddings", tied) : tied;
    out.stored_dtype = readStoredDType(config);
    if (nested && !out.stored_dtype)
        out.stored_dtype = readStoredDType(top);
    readRope(config, path.string(), out, defaults);
    readWindow(config, out, defaults);
    readExperts(config, out, defaults);
    if (family.readKeys)
        family.readKeys(config, out);
    if (out.rotaryDim() < 2)
        config.fail("head_dim x partial_rotary_factor leaves no dimension to rotate.");
    for (JsonObject* const object : {&config, &top}) {
        if (out.eos_token_ids.empty())
            out.eos_token_ids = readTokenIds(*object, "eos_token_id");
        const auto bos = readTokenIds(*object, "bos_token_id");
        if (!out.bos_token_id && !bos.empty())
            out.bos_token_id = bos.front();
    }
    for (const JsonObject* const object : {&config, &top}) {
        if (const auto& problem = object->problem())
            return *problem;
    }
    if (const Status generation = readGenerationConfig(folder, out); !generation)
        return generation.error();
    return out;
}

} // namespace ep::model
