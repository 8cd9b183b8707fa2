// SPDX-License-Identifier: GPL-3.0-or-later
#include "config_parts.h"
#include "families/family.h"

#include <charconv>

namespace ep::model::families {
namespace {

constexpr int kGlobalHeadDim = 512;
constexpr int kMaxGlobalHeadDim = 4096;
constexpr int kUsualLayerInput = 256;
constexpr int kUsualVocabulary = 262144;

FamilyShape gemma4Shape(const ModelConfig& config)
{
    return {.order = LayerOrder::Sandwich,
            .attention = {.qkv_bias = config.attention_bias,
                          .output_bias = config.attention_bias,
                          .head_norm = AttentionOptions::HeadNorm::Rms,
                          .value_norm = true},
            .moe = {.prefixes = {""}, .router = "router.proj", .scaled_router = true},
            .scaled_embedding = true,
            .layer_scalar = true};
}

FamilyShape gemma4MultimodalShape(const ModelConfig& config)
{
    FamilyShape shape = gemma4Shape(config);
    shape.names.spellings = {{"model.language_model.", "lm_head"},
                             {"language_model.model.", "language_model.lm_head"},
                             {"model.", "lm_head"}};
    return shape;
}

// Layers without a window have wider heads, and may have fewer of them for keys and values.
void readLayerHeads(const json::Value& json, ModelConfig& config)
{
    if (const auto layers = json.find("per_layer_config"); layers && layers->isObject()) {
        for (const auto& [key, value] : layers->json().items()) {
            const json::Value layer = layers->part(value);
            int index = -1;
            std::from_chars(key.data(), key.data() + key.size(), index);
            if (index < 0 || index >= config.num_hidden_layers)
                layer.fail("has no layer of this number");
            config.layer_heads[index] = {
                layer.integer("head_dim", config.head_dim, 2, kMaxGlobalHeadDim),
                layer.integer("num_key_value_heads", config.num_key_value_heads, 1, kMaxWidth)};
        }
    } else {
        const int dim = json.integer("global_head_dim", kGlobalHeadDim, 2, kMaxGlobalHeadDim);
        const int own = config.num_key_value_heads;
        const int heads = config.keys_are_values
            ? json.integer("num_global_key_value_heads", own, 1, kMaxWidth)
            : own;
        for (int layer = 0; layer < config.num_hidden_layers; ++layer) {
            if (!config.windowOf(layer))
                config.layer_heads[layer] = {dim, heads};
        }
    }
    for (const auto& [layer, heads] : config.layer_heads) {
        if (config.num_attention_heads % heads.kv_heads != 0)
            json.fail("num_attention_heads", "is not a multiple of the heads of keys");
    }
}

void readExpertsBeside(const json::Value& json, ModelConfig& config)
{
    if (!json.boolean("enable_moe_block", false))
        return;
    MoeSettings& moe = config.moe;
    moe.experts = json.integer("num_experts", std::nullopt, 1, kMaxExperts);
    moe.experts_per_token = json.integer("top_k_experts", std::nullopt, 1, moe.experts);
    moe.intermediate_size = json.integer("moe_intermediate_size", std::nullopt, 1, kMaxWidth);
    moe.normalise = true;
    moe.beside_dense = true;
    moe.layers.assign(static_cast<std::size_t>(config.num_hidden_layers), true);
}

void readCommon(const json::Value& json, ModelConfig& config)
{
    config.attention_scale = 1.0;
    if (json.has("final_logit_softcapping"))
        config.final_logit_softcapping = json.number("final_logit_softcapping", 0.0, 1e-6, 1e9);
    if (json.string("use_bidirectional_attention", "") == "all")
        json.at("use_bidirectional_attention")
            .unsupported("lets positions see those after them, which is not supported: use attach "
                         "with a server that runs the model");
    if (!config.windowed_layers.empty())
        config.windowed_layers.back() = false;
    if (!json.has("rope_parameters")) {
        config.rope.scaling.kind = RopeScaling::Kind::Proportional;
        config.rope.scaling.share = 0.25;
    }
    config.keys_are_values = json.boolean("attention_k_eq_v", false);
    config.shared_cache_layers =
        json.integer("num_kv_shared_layers", 0, 0, config.num_hidden_layers - 1);
    config.double_wide_mlp = json.boolean("use_double_wide_mlp", false);
    readLayerHeads(json, config);
    readExpertsBeside(json, config);
}

void readGemma4(const json::Value& json, ModelConfig& config)
{
    readCommon(json, config);
    const bool none =
        json.contains("hidden_size_per_layer_input") && !json.has("hidden_size_per_layer_input");
    config.per_layer_input = none
        ? 0
        : json.integer("hidden_size_per_layer_input", kUsualLayerInput, 0, kMaxGlobalHeadDim);
    config.per_layer_vocabulary =
        json.integer("vocab_size_per_layer_input", kUsualVocabulary, 1, 1 << 24);
}

Family gemma4As(const char* type, int window, FamilyShape (*shape)(const ModelConfig&),
                void (*readKeys)(const json::Value&, ModelConfig&))
{
    return {.defaults = {.model_type = type,
                         .max_position_embeddings = 131072,
                         .kv_heads = 4,
                         .head_dim = 256,
                         .rope_theta = 1e6,
                         .window_rule = WindowRule::Pattern,
                         .sliding_window = window,
                         .hidden_act = "gelu_pytorch_tanh",
                         .activation_key = "hidden_activation",
                         .tied = true,
                         .hidden_size = 2304,
                         .intermediate_size = 9216,
                         .layers = 30,
                         .heads = 8,
                         .vocabulary = kUsualVocabulary,
                         .padded_placeholders = true},
            .shape = shape,
            .readKeys = readKeys};
}

} // namespace

// Gemma 4: a norm of values, wider heads in layers without a window, experts next to the MLP, a
// per-token input for each layer, and layers that use keys and values of earlier ones, each if the
// config says so.
Family gemma4()
{
    Family family = gemma4As("gemma4_text", 512, gemma4Shape, readGemma4);
    family.gguf = {.architectures = {"gemma4"}};
    return family;
}

Family gemma4Multimodal()
{
    return gemma4As("gemma4_text", 512, gemma4MultimodalShape, readGemma4);
}

// The 12B model, into which images and sound enter as tokens.
Family gemma4Unified()
{
    return gemma4As("gemma4_unified_text", 1024, gemma4MultimodalShape, readCommon);
}

} // namespace ep::model::families
