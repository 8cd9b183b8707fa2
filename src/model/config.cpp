// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/model/config.h"

#include "config_parts.h"
#include "gguf/gguf_config.h"
#include "gguf/gguf_names.h"
#include "mlx/mlx_config.h"
#include "mlx/mlx_witness.h"
#include "packed/packed_config.h"

#include "ep/core/mapped_file.h"
#include "ep/json/document.h"
#include "ep/json/gguf.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <system_error>
#include <utility>

namespace ep::model {
namespace {

constexpr std::uint64_t kMaxConfigBytes = 16'000'000;

constexpr int kMaxVocabulary = 1 << 24;
constexpr int kMaxHeadDim = 4096;

// Reads a token id or a list of them; -1 means none.
std::vector<std::int32_t> readTokenIds(const json::Value& object, const char* key)
{
    const auto value = object.find(key);
    if (!value)
        return {};
    std::vector<std::int32_t> ids;
    for (const json::Value& id : value->isArray() ? value->elements() : std::vector{*value}) {
        if (id.json() == -1)
            continue;
        ids.push_back(static_cast<std::int32_t>(id.asInteger(0, kMaxVocabulary - 1)));
    }
    return ids;
}

std::optional<DType> readStoredDType(const json::Value& config)
{
    return dtypeFromConfig(config.string("dtype", config.string("torch_dtype", "")));
}

// The name that the config uses for a size, since families before Llama had other names.
const char* either(const json::Value& config, const char* name, const char* older)
{
    return !config.has(name) && config.has(older) ? older : name;
}

std::optional<int> orMissing(int fallback)
{
    return fallback == 0 ? std::nullopt : std::optional(fallback);
}

int readLayerCount(const json::Value& config, const ConfigDefaults& defaults)
{
    for (const char* const key : defaults.layer_lists) {
        if (const auto list = config.find(key); list && !list->isNull()) {
            const std::size_t count =
                list->isString() ? list->asString().size() : list->requireArray().size();
            if (count < 1 || count > kMaxLayers)
                list->fail("must have an entry for each layer");
            return static_cast<int>(count);
        }
    }
    return config.integer(either(config, "num_hidden_layers", "n_layer"),
                          orMissing(defaults.layers), 1, kMaxLayers);
}

void readSizes(const json::Value& config, ModelConfig& out, const ConfigDefaults& defaults)
{
    out.hidden_size = config.integer(either(config, "hidden_size", "n_embd"),
                                     orMissing(defaults.hidden_size), 1, kMaxWidth);
    const int widened = std::min(defaults.mlp_ratio * out.hidden_size, kMaxWidth);
    out.intermediate_size =
        config.integer(either(config, "intermediate_size", "n_inner"),
                       orMissing(widened ? widened : defaults.intermediate_size), 1, kMaxWidth);
    out.num_hidden_layers = readLayerCount(config, defaults);
    out.num_attention_heads = config.integer(either(config, "num_attention_heads", "n_head"),
                                             orMissing(defaults.heads), 1, kMaxWidth);
    // Null means as many as attention heads; an omitted key means the family's default.
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
        config.fail("hidden_size", "is not a multiple of num_attention_heads");
    const int headDim = needsHeadDim ? std::max(1, out.hidden_size / out.num_attention_heads)
                                     : std::max(1, defaults.head_dim);
    out.head_dim = config.integer("head_dim", std::min(headDim, kMaxHeadDim), 1, kMaxHeadDim);
    if (out.num_attention_heads % out.num_key_value_heads != 0)
        config.fail("num_attention_heads", "is not a multiple of num_key_value_heads");
    if (static_cast<std::int64_t>(out.num_attention_heads) * out.head_dim > kMaxWidth)
        config.fail("num_attention_heads", "x head_dim is larger than any model has");
}

// Reads differences in the arithmetic: norms, biases, activation.
void readArithmetic(const json::Value& config, ModelConfig& out, const ConfigDefaults& defaults)
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
    const auto json = json::readFile(path, kMaxConfigBytes);
    if (!json && json.error().code == ErrorCode::NotFound)
        return {};
    if (!json)
        return json.error();
    const auto ids = json::read(path.string(), *json, [&](const json::Value& generation) {
        return generation.has("eos_token_id") ? readTokenIds(generation, "eos_token_id")
                                              : out.eos_token_ids;
    });
    if (!ids)
        return ids.error();
    out.eos_token_ids = *ids;
    return {};
}

// Reads ids that stand for parts of images and sound.
void readPlaceholders(const json::Value& top, const json::Value& text, ModelConfig& out)
{
    for (const char* const key : {"image_token_id", "video_token_id", "audio_token_id"}) {
        for (const std::int32_t id : readTokenIds(top, key))
            out.placeholder_ids.push_back(id);
    }
    const auto padding = readTokenIds(text, "pad_token_id");
    out.placeholder_padding = padding.empty() ? 0 : padding.front();
    if (out.placeholder_padding >= out.vocab_size)
        text.fail("pad_token_id", "is not in the vocabulary");
}

// Reads the whole config.json; throws json::ReadError.
ModelConfig readConfig(const json::Value& top, const std::string& quantization)
{
    ModelConfig out;
    const auto architectures = top.find("architectures");
    if (architectures && architectures->isArray() && architectures->size() > 0
        && architectures->at(0).isString())
        out.architecture = architectures->at(0).asString();
    if (out.architecture.empty())
        top.fail("names no architecture: add \"architectures\", for example "
                 "[\"LlamaForCausalLM\"]");
    out.quantization = quantization;
    // A model for text and images has the sizes of its text part in a separate object.
    const auto text = top.find("text_config");
    const bool nested = text && text->isObject();
    const json::Value config = nested ? *text : top;
    out.model_type = config.string("model_type", top.string("model_type", ""));
    for (const char* const wrapped : {"gemma3", "gemma4", "gemma4_unified"}) {
        if (out.model_type == wrapped)
            out.model_type += "_text";
    }
    // An unknown architecture may use other names for sizes: do not check them.
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
    readRope(config, out, defaults);
    readWindow(config, out, defaults);
    readUnrotated(config, out, defaults);
    readExperts(config, out, defaults);
    if (nested && defaults.padded_placeholders)
        readPlaceholders(top, config, out);
    if (family.readKeys)
        family.readKeys(config, out);
    if (out.rotaryDim() < 2)
        config.fail("head_dim", "x partial_rotary_factor leaves no dimension to rotate");
    for (const json::Value& object : {config, top}) {
        if (out.eos_token_ids.empty())
            out.eos_token_ids = readTokenIds(object, "eos_token_id");
        const auto bos = readTokenIds(object, "bos_token_id");
        if (!out.bos_token_id && !bos.empty())
            out.bos_token_id = bos.front();
    }
    return out;
}

} // namespace

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

Mixer ModelConfig::mixerOf(int layer) const
{
    return mixers.empty() ? Mixer::Attention : mixers[static_cast<std::size_t>(layer)];
}

bool ModelConfig::attends(int layer) const
{
    return mixerOf(layer) == Mixer::Attention || mixerOf(layer) == Mixer::MambaAndAttention;
}

int ModelConfig::headDim(int layer) const
{
    const auto found = layer_heads.find(layer);
    return found == layer_heads.end() ? head_dim : found->second.head_dim;
}

int ModelConfig::kvHeads(int layer) const
{
    const auto found = layer_heads.find(layer);
    return found == layer_heads.end() ? num_key_value_heads : found->second.kv_heads;
}

int ModelConfig::intermediateSize(int layer) const
{
    return double_wide_mlp && sharesCache(layer) ? 2 * intermediate_size : intermediate_size;
}

bool ModelConfig::rotates(int layer) const
{
    return unrotated_layers.empty() || !unrotated_layers[static_cast<std::size_t>(layer)];
}

bool ModelConfig::sharesCache(int layer) const
{
    return layer >= num_hidden_layers - shared_cache_layers;
}

int ModelConfig::rotaryDim(int layer) const
{
    const double rotated = static_cast<double>(headDim(layer)) * partial_rotary_factor;
    return static_cast<int>(rotated) / 2 * 2;
}

// The last layer with the same kind of window before those that share its keys and values.
int ModelConfig::cacheSource(int layer) const
{
    if (!sharesCache(layer))
        return layer;
    int source = std::max(0, num_hidden_layers - shared_cache_layers - 1);
    while (source > 0 && windowOf(source) != windowOf(layer))
        --source;
    return source;
}

Result<ModelConfig> readGgufConfig(const GgufFile& gguf)
{
    const auto config = ggufConfig(gguf);
    if (!config)
        return config.error();
    auto read = json::read(gguf.path.string(), *config,
                           [](const json::Value& top) { return readConfig(top, {}); });
    if (!read || !checkSupported(*read))
        return read;
    const auto entries = ggufEntries(gguf, *read); // a list says at once what is wrong with them
    return entries ? read : entries.error();
}

Result<StatedConfig> readFolderConfig(const std::filesystem::path& folder)
{
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder, ignored)) {
        return Error{ErrorCode::NotFound,
                     {"There is no folder %1: choose the folder of a downloaded HuggingFace model.",
                      folder.string()}};
    }
    const auto path = folder / "config.json";
    auto text = json::readTextFile(path, kMaxConfigBytes);
    if (!text && text.error().code == ErrorCode::NotFound) {
        return Error{ErrorCode::NotFound,
                     {"%1 has no config.json: choose the folder of a downloaded HuggingFace model.",
                      folder.string()}};
    }
    if (!text)
        return text.error();
    const auto json = json::parseFile(path, *text);
    if (!json)
        return json.error();
    auto config = json::read(path.string(), *json, [&](const json::Value& top) {
        std::string unsupported;
        const MlxSettings mlx = readMlx(top, unsupported);
        const bool isMlx = mlx.usual.bits > 0; // it repeats itself as quantization_config
        // gpt-oss has the same settings from HuggingFace and from mlx-lm.
        const bool either = isMlx && !top.has("quantization");
        const PackedSettings packed =
            isMlx && !either ? PackedSettings{} : readPacked(top, folder, unsupported);
        ModelConfig read = readConfig(top, unsupported);
        read.mlx = mlx;
        read.packed = packed;
        return read;
    });
    if (!config)
        return config.error();
    if (checkSupported(*config)) {
        if (const Status generation = readGenerationConfig(folder, *config); !generation)
            return generation.error();
        followMlxTensors(folder, *config);
    }
    return StatedConfig{.config = *std::move(config), .text = *std::move(text)};
}

Result<ModelConfig> readModelConfig(const std::filesystem::path& folder)
{
    if (isFile(folder)) {
        const auto gguf = GgufFile::open(folder, json::kShortGgufList);
        return gguf ? readGgufConfig(*gguf) : gguf.error();
    }
    auto stated = readFolderConfig(folder);
    if (!stated)
        return stated.error();
    return std::move(stated->config);
}

} // namespace ep::model
