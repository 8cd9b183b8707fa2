// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/model/config.h"

#include "config_defaults.h"
#include "json_reader.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ep::model {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kMaxConfigBytes = 16'000'000;

// Larger than any model that exists, small enough that products of them fit 64 bits.
constexpr int kMaxWidth = 1 << 22; // hidden, intermediate, heads x head_dim
constexpr int kMaxLayers = 4096;
constexpr int kMaxVocabulary = 1 << 24;
constexpr int kMaxPositions = 1 << 28;
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

RopeScaling::Kind ropeKind(JsonObject& object)
{
    using Kind = RopeScaling::Kind;
    static constexpr std::array<std::pair<std::string_view, Kind>, 7> kKinds{
        {{"default", Kind::None},
         {"linear", Kind::Linear},
         {"dynamic", Kind::Dynamic},
         {"llama3", Kind::Llama3},
         {"yarn", Kind::Yarn},
         {"longrope", Kind::Longrope},
         {"su", Kind::Longrope}}};
    const std::string word = object.string("rope_type", object.string("type", "default"));
    for (const auto& [name, kind] : kKinds) {
        if (name == word)
            return kind;
    }
    object.fail("the position scaling \"" + word + "\" is not known.");
    return Kind::None;
}

RopeScaling readRopeScaling(JsonObject& object, const ModelConfig& config)
{
    RopeScaling scaling;
    scaling.kind = ropeKind(object);
    if (scaling.kind == RopeScaling::Kind::None)
        return scaling;
    // Longrope has lists of factors in place of one.
    const bool needsFactor = scaling.kind != RopeScaling::Kind::Longrope;
    scaling.factor =
        object.number("factor", needsFactor ? std::nullopt : std::optional(1.0), 1.0, 1e6);
    scaling.low_freq_factor = object.number("low_freq_factor", 1.0, 1e-6, 1e6);
    scaling.high_freq_factor = object.number("high_freq_factor", 4.0, 1e-6, 1e6);
    scaling.original_max_position_embeddings = object.integer(
        "original_max_position_embeddings", config.max_position_embeddings, 1, kMaxPositions);
    if (scaling.kind == RopeScaling::Kind::Llama3
        && scaling.high_freq_factor <= scaling.low_freq_factor)
        object.fail("high_freq_factor must be greater than low_freq_factor.");
    return scaling;
}

// transformers 4: rope_theta and rope_scaling; transformers 5: one object rope_parameters.
std::optional<Error> readRope(JsonObject& config, const std::string& where, ModelConfig& out,
                              const ConfigDefaults& defaults)
{
    out.rope_theta = config.number("rope_theta", 10000.0, 1.0, 1e12);
    out.partial_rotary_factor =
        config.number("partial_rotary_factor", defaults.partial_rotary_factor, 1e-3, 1.0);
    for (const char* const key : {"rope_parameters", "rope_scaling"}) {
        if (!config.has(key))
            continue;
        if (!config.at(key).is_object()) {
            config.fail(std::string(key) + " must be an object.");
            return std::nullopt;
        }
        JsonObject rope(config.at(key), where + ", " + key);
        out.rope_theta = rope.number("rope_theta", out.rope_theta, 1.0, 1e12);
        out.partial_rotary_factor =
            rope.number("partial_rotary_factor", out.partial_rotary_factor, 1e-3, 1.0);
        out.rope_scaling = readRopeScaling(rope, out);
        return rope.problem();
    }
    return std::nullopt;
}

void readWindow(JsonObject& config, ModelConfig& out, const ConfigDefaults& defaults)
{
    if (defaults.window_is_optional && !config.boolean("use_sliding_window", false))
        return;
    // A window that is null is no window; one that is left out is the family's.
    const bool given = config.contains("sliding_window");
    if (given ? !config.has("sliding_window") : defaults.sliding_window == 0)
        return;
    out.sliding_window =
        config.integer("sliding_window", defaults.sliding_window, 1, kMaxPositions);

    if (config.has("layer_types") && config.at("layer_types").is_array()) {
        for (const Json& type : config.at("layer_types"))
            out.windowed_layers.push_back(type == "sliding_attention");
        if (out.windowed_layers.size() != static_cast<std::size_t>(out.num_hidden_layers))
            config.fail("layer_types must have one entry for each layer.");
    } else if (config.has("max_window_layers") && defaults.window_is_optional) {
        const int first = config.integer("max_window_layers", 0, 0, kMaxLayers);
        for (int layer = 0; layer < out.num_hidden_layers; ++layer)
            out.windowed_layers.push_back(layer >= first);
    }
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

std::string readQuantization(const JsonObject& config)
{
    if (!config.has("quantization_config"))
        return {};
    const Json& quantization = config.at("quantization_config");
    if (quantization.is_object() && quantization.contains("quant_method")
        && quantization["quant_method"].is_string())
        return quantization["quant_method"].get<std::string>();
    return "unknown method";
}

void readSizes(JsonObject& config, ModelConfig& out, const ConfigDefaults& defaults)
{
    out.hidden_size = config.integer("hidden_size", std::nullopt, 1, kMaxWidth);
    out.intermediate_size = config.integer("intermediate_size", std::nullopt, 1, kMaxWidth);
    out.num_hidden_layers = config.integer("num_hidden_layers", std::nullopt, 1, kMaxLayers);
    out.num_attention_heads = config.integer("num_attention_heads", std::nullopt, 1, kMaxWidth);
    const int kvHeads = defaults.kv_heads ? defaults.kv_heads : out.num_attention_heads;
    out.num_key_value_heads = config.integer("num_key_value_heads", kvHeads, 1, kMaxWidth);
    out.vocab_size = config.integer("vocab_size", std::nullopt, 1, kMaxVocabulary);
    out.max_position_embeddings = config.integer(
        "max_position_embeddings", defaults.max_position_embeddings, 1, kMaxPositions);
    if (!config.has("head_dim") && out.hidden_size % out.num_attention_heads != 0)
        config.fail("hidden_size is not a multiple of num_attention_heads.");
    const int headDim = std::max(1, out.hidden_size / out.num_attention_heads);
    out.head_dim = config.integer("head_dim", std::min(headDim, kMaxHeadDim), 1, kMaxHeadDim);
    if (out.num_attention_heads % out.num_key_value_heads != 0)
        config.fail("num_attention_heads is not a multiple of num_key_value_heads.");
    if (static_cast<std::int64_t>(out.num_attention_heads) * out.head_dim > kMaxWidth)
        config.fail("num_attention_heads x head_dim is larger than any model has.");
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
    }
    return "";
}

std::optional<DType> dtypeFromName(std::string_view word)
{
    for (const DType dtype : {DType::F32, DType::F16, DType::BF16}) {
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

    JsonObject config(*json, path.string());
    ModelConfig out;
    if (config.has("architectures") && config.at("architectures").is_array()
        && !config.at("architectures").empty() && config.at("architectures")[0].is_string())
        out.architecture = config.at("architectures")[0].get<std::string>();
    if (out.architecture.empty()) {
        return Error{ErrorCode::InvalidInput,
                     path.string()
                         + " names no architecture: add \"architectures\", for example "
                           "[\"LlamaForCausalLM\"]."};
    }
    out.model_type = config.string("model_type", "");
    out.quantization = readQuantization(config);
    // Sizes of an architecture that we do not know may have other names: leave them.
    if (const Status supported = checkSupported(out); !supported)
        return out;

    const ConfigDefaults& defaults = configDefaults(out.model_type);
    readSizes(config, out, defaults);
    out.rms_norm_eps = config.number("rms_norm_eps", defaults.rms_norm_eps, 0.0, 1.0);
    out.layer_norm_eps = config.number("layer_norm_eps", 1e-5, 0.0, 1.0);
    out.hidden_act = config.string("hidden_act", std::string(defaults.hidden_act));
    out.attention_bias = config.boolean("attention_bias", defaults.attention_bias);
    out.mlp_bias = config.boolean("mlp_bias", false);
    out.tie_word_embeddings = config.boolean("tie_word_embeddings", false);
    out.qk_layernorm = config.boolean("qk_layernorm", false);
    out.stored_dtype = readStoredDType(config);
    if (const auto problem = readRope(config, path.string(), out, defaults))
        return *problem;
    readWindow(config, out, defaults);
    if (out.rotaryDim() < 2)
        config.fail("head_dim x partial_rotary_factor leaves no dimension to rotate.");
    out.eos_token_ids = readTokenIds(config, "eos_token_id");
    if (const auto bos = readTokenIds(config, "bos_token_id"); !bos.empty())
        out.bos_token_id = bos.front();
    if (const auto& problem = config.problem())
        return *problem;
    if (const Status generation = readGenerationConfig(folder, out); !generation)
        return generation.error();
    return out;
}

} // namespace ep::model
