// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/model/config.h"

#include "config_parts.h"
#include "families/family.h"
#include "gguf/gguf_config.h"
#include "gguf/gguf_names.h"
#include "mlx/mlx_config.h"

#include "ep/core/joined.h"
#include "ep/core/mapped_file.h"
#include "ep/core/word_list.h"
#include "ep/json/document.h"
#include "ep/json/gguf.h"
#include "ep/json/value.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <system_error>

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
    const auto refuse = [&](const Message& what) {
        unsupported = methodName(word) + ", " + what.english();
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
    default: // the tensors show the format
        break;
    }
    return settings;
}

// Reads "quantization_config" of a config.json (or a file that replaced it in older folders),
// which says how the weights are packed. `unsupported` receives the name of a method or variant
// that the program does not support. Throws json::ReadError.
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

constexpr std::uint64_t kMaxConfigBytes = 16'000'000;

constexpr int kMaxVocabulary = 1 << 24;
constexpr int kMaxHeadDim = 4096;

// Reads a token id or a list of ids; -1 means none.
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

constexpr int kGemma3Pattern = 6;
constexpr int kUsualPattern = 4;

// Every n-th layer attends to everything; the others use the window.
std::vector<bool> allButEvery(int n, int layers)
{
    std::vector<bool> windowed;
    for (int layer = 0; layer < layers; ++layer)
        windowed.push_back((layer + 1) % n != 0);
    return windowed;
}

// Reads a number or, as in EXAONE 4, a word with one letter per layer of a period ("LLLG").
int readPattern(const json::Value& config, int usual)
{
    const auto pattern = config.find("sliding_window_pattern");
    if (pattern && pattern->isString())
        return std::max(1, static_cast<int>(pattern->asString().size()));
    return config.integer("sliding_window_pattern", usual, 1, kMaxLayers);
}

// Reads which layers have experts, if the config lists them.
void readSparseLayers(const json::Value& config, ModelConfig& out, const ConfigDefaults& defaults)
{
    MoeSettings& moe = out.moe;
    const int step = config.integer("decoder_sparse_step", 1, 1, kMaxLayers);
    const int dense = defaults.dense_layers_key
        ? config.integer(defaults.dense_layers_key, defaults.dense_layers, 0, kMaxLayers)
        : 0;
    for (int layer = 0; layer < out.num_hidden_layers; ++layer)
        moe.layers.push_back(moe.experts > 0 && layer >= dense && (layer + 1) % step == 0);
    const auto only = config.find("mlp_only_layers");
    for (const json::Value& layer : only ? only->elements() : std::vector<json::Value>()) {
        const std::int64_t index = layer.asInteger(0, out.num_hidden_layers - 1);
        moe.layers[static_cast<std::size_t>(index)] = false;
    }
    const auto types = config.find("mlp_layer_types");
    if (!types || !types->isArray())
        return;
    const auto words = types->elements();
    if (words.size() != moe.layers.size())
        types->fail("must have one entry for each layer");
    for (std::size_t i = 0; i < words.size(); ++i)
        moe.layers[i] = moe.experts > 0 && words[i].json() == "sparse";
}

constexpr auto kActivations = wordList<12>(
    "silu swish gelu gelu_python gelu_new gelu_fast gelu_pytorch_tanh gelu_python_tanh "
    "gelu_accurate quick_gelu relu relu2");

template <typename List>
bool isOneOf(const List& list, std::string_view item)
{
    return std::find(list.begin(), list.end(), item) != list.end();
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
    const auto entries = ggufEntries(gguf, *read); // building the list finds errors in the tensors
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
        const bool isMlx = mlx.usual.bits > 0; // also in quantization_config
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

void readWindow(const json::Value& config, ModelConfig& out, const ConfigDefaults& defaults)
{
    const WindowRule rule = defaults.window_rule;
    if (rule == WindowRule::None)
        return;
    const bool optional = rule == WindowRule::Optional || rule == WindowRule::FromLayer;
    if (optional && !config.boolean("use_sliding_window", false))
        return;
    // Null means no window; an omitted key means the family's default.
    const bool given = config.contains("sliding_window");
    if (given ? !config.has("sliding_window") : defaults.sliding_window == 0)
        return;
    out.sliding_window =
        config.integer("sliding_window", defaults.sliding_window, 1, kMaxPositions);

    const int layers = out.num_hidden_layers;
    const auto types = config.find("layer_types");
    if (types && types->isArray()) {
        for (const json::Value& type : types->elements())
            out.windowed_layers.push_back(type.json() == "sliding_attention");
        if (out.windowed_layers.size() != static_cast<std::size_t>(layers))
            types->fail("must have one entry for each layer");
    } else if (rule == WindowRule::FromLayer) {
        const int first = config.integer("max_window_layers", 28, 0, kMaxLayers);
        for (int layer = 0; layer < layers; ++layer)
            out.windowed_layers.push_back(layer >= first);
    } else if (rule == WindowRule::Alternating) {
        out.windowed_layers = allButEvery(2, layers);
    } else if (rule == WindowRule::Pattern || rule == WindowRule::AllButFourth) {
        out.windowed_layers = allButEvery(
            readPattern(config, rule == WindowRule::Pattern ? kGemma3Pattern : kUsualPattern),
            layers);
    }
    for (int layer = 0; layer < layers && defaults.unrotated_full; ++layer)
        out.unrotated_layers.push_back(!out.windowOf(layer));
}

void readUnrotated(const json::Value& config, ModelConfig& out, const ConfigDefaults& defaults)
{
    if (!defaults.unrotated_key)
        return;
    const auto list = config.find(defaults.unrotated_key);
    const int interval = config.integer("no_rope_layer_interval", kUsualPattern, 1, kMaxLayers);
    for (int layer = 0; layer < out.num_hidden_layers; ++layer)
        out.unrotated_layers.push_back((layer + 1) % interval == 0);
    if (!list || !list->isArray())
        return;
    const auto rotated = list->elements();
    if (rotated.size() < out.unrotated_layers.size())
        list->fail("must have one entry for each layer");
    for (std::size_t i = 0; i < out.unrotated_layers.size(); ++i)
        out.unrotated_layers[i] = rotated[i].json() == 0 || rotated[i].json() == false;
}

std::vector<Mixer> readMixers(const json::Value& config, const char* key,
                              std::span<const MixerWord> words, int layers)
{
    std::vector<Mixer> mixers;
    const auto list = config.find(key);
    for (const json::Value& entry : list ? list->elements() : std::vector<json::Value>()) {
        const std::string word = entry.asString();
        const auto found = std::find_if(words.begin(), words.end(),
                                        [&](const MixerWord& row) { return row.first == word; });
        if (found == words.end()) {
            entry.unsupported(Message("is %1, a kind of layer that this family does not have: use "
                                      "attach with a server that runs the model",
                                      json::inQuotes(word)));
        }
        mixers.push_back(found->second);
    }
    if (!mixers.empty() && mixers.size() != static_cast<std::size_t>(layers))
        list->fail("must have one entry for each layer");
    return mixers;
}

void readExperts(const json::Value& config, ModelConfig& out, const ConfigDefaults& defaults)
{
    if (defaults.experts == 0)
        return;
    MoeSettings& moe = out.moe;
    const char* const count = config.has("num_local_experts") ? "num_local_experts"
        : config.has("n_routed_experts")                      ? "n_routed_experts"
                                                              : "num_experts";
    moe.experts = config.integer(count, defaults.experts, 0, kMaxExperts);
    moe.experts_per_token = config.integer("num_experts_per_tok", defaults.experts_per_token,
                                           moe.experts > 0 ? 1 : 0, kMaxExperts);
    moe.normalise = defaults.normalise_experts
        || config.boolean("norm_topk_prob", defaults.normalise_experts_by_default);
    moe.intermediate_size = defaults.expert_intermediate_size == 0
        ? out.intermediate_size
        : config.integer("moe_intermediate_size", defaults.expert_intermediate_size, 1, kMaxWidth);
    if (defaults.shared_intermediate_size != 0) {
        moe.shared_intermediate_size = config.integer(
            "shared_expert_intermediate_size", defaults.shared_intermediate_size, 1, kMaxWidth);
    }
    if (moe.experts > 0 && moe.experts_per_token > moe.experts)
        config.fail("num_experts_per_tok", "is larger than the number of experts");

    readSparseLayers(config, out, defaults);
}

Status checkSupported(const ModelConfig& config)
{
    const auto unsupported = [](const Message& message) {
        return Error{ErrorCode::Unsupported, message};
    };
    if (!isOneOf(supportedArchitectures(), config.architecture)) {
        return unsupported(Message("The architecture %1 is not supported; supported are %2.",
                                   config.architecture, joined(supportedArchitectures())));
    }
    if (!config.quantization.empty()) {
        return unsupported(
            Message("The model is quantized (%1), in a way that this program does not read: use "
                    "the unquantized model (f32, f16 or bf16), with --dtype int8 or q4_k to "
                    "compute from fewer bits, or a GGUF file of it.",
                    config.quantization));
    }
    if (!isOneOf(kActivations, config.hidden_act)) {
        return unsupported(Message("The activation \"%1\" is not supported; supported are %2.",
                                   config.hidden_act, joined(kActivations)));
    }
    return {};
}

} // namespace ep::model
