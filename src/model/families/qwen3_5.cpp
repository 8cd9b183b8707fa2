// SPDX-License-Identifier: GPL-3.0-or-later
#include "config_parts.h"
#include "families/family.h"

#include "ep/json/value.h"

#include <array>

namespace ep::model::families {
namespace {

constexpr double kQwen3NextRotary = 0.25; // share of each head that rotates
constexpr int kQwen3NextInterval = 4; // every fourth layer has attention

// Gated DeltaNet in most layers, gated attention in the others; files store norm weights minus one.
FamilyShape qwen3NextShape(const ModelConfig& config)
{
    return {.norm = NormStyle::RmsPlusOne,
            .attention = {.qkv_bias = config.attention_bias,
                          .output_bias = config.attention_bias,
                          .head_norm = AttentionOptions::HeadNorm::RmsPlusOne,
                          .output_gate = true}};
}

// The text part of a multimodal model, with the names of the hub and of MLX.
FamilyShape qwen3_5Shape(const ModelConfig& config)
{
    FamilyShape shape = qwen3NextShape(config);
    shape.names.spellings = {{"model.", "lm_head"},
                             {"model.language_model.", "lm_head"},
                             {"language_model.model.", "language_model.lm_head"}};
    return shape;
}

void readDeltaNet(const json::Value& json, ModelConfig& config)
{
    StateSettings& state = config.state;
    state.key_heads = json.integer("linear_num_key_heads", 16, 1, kMaxWidth);
    state.value_heads = json.integer("linear_num_value_heads", 32, 1, kMaxWidth);
    state.key_dim = json.integer("linear_key_head_dim", 128, 1, kMaxWidth);
    state.value_dim = json.integer("linear_value_head_dim", 128, 1, kMaxWidth);
    state.taps = json.integer("linear_conv_kernel_dim", 4, 1, kMaxTaps);
    // Only set for GGUF files, whose value heads may be in another order than HuggingFace's.
    state.tiled = json.boolean("linear_value_heads_tiled", false);
    if (state.value_heads % state.key_heads != 0)
        json.fail("linear_num_value_heads", "is not a multiple of linear_num_key_heads");
    if (state.keys() > kMaxWidth || state.values() > kMaxWidth)
        json.fail("linear_num_value_heads", "x the size of a head is larger than any model has");

    constexpr std::array kWords{MixerWord{"linear_attention", Mixer::DeltaNet},
                                MixerWord{"full_attention", Mixer::Attention}};
    config.mixers = readMixers(json, "layer_types", kWords, config.num_hidden_layers);
    const int interval = json.integer("full_attention_interval", kQwen3NextInterval, 1, kMaxLayers);
    for (int layer = 0; config.mixers.size() < static_cast<std::size_t>(config.num_hidden_layers);
         ++layer)
        config.mixers.push_back((layer + 1) % interval == 0 ? Mixer::Attention : Mixer::DeltaNet);
}

Family qwen3_5As(std::string_view type)
{
    return {.defaults = {.model_type = type,
                         .max_position_embeddings = 32768,
                         .kv_heads = 4,
                         .head_dim = 256,
                         .partial_rotary_factor = kQwen3NextRotary},
            .shape = qwen3_5Shape,
            .readKeys = readDeltaNet};
}

} // namespace

// Qwen3.5, 3.6 and 3.8.
Family qwen3_5()
{
    Family family = qwen3_5As("qwen3_5_text");
    family.gguf = {.architectures = {"qwen35"}};
    return family;
}

Family qwen3_5Moe()
{
    Family family = qwen3_5As("qwen3_5_moe_text");
    family.gguf = {.architectures = {"qwen35moe"}};
    family.defaults.kv_heads = 2;
    family.defaults.intermediate_size = 512; // width of dense layers; this family has none
    family.defaults.experts = 256;
    family.defaults.experts_per_token = 8;
    family.defaults.expert_intermediate_size = 512;
    family.defaults.shared_intermediate_size = 512;
    family.defaults.normalise_experts = true;
    return family;
}

// The layers of Qwen 3.5, with DeltaNet's projections fused by key head.
Family qwen3Next()
{
    Family family = qwen3_5As("qwen3_next");
    family.gguf = {.architectures = {"qwen3next"}};
    family.shape = qwen3NextShape;
    family.defaults.kv_heads = 2;
    family.defaults.experts = 512;
    family.defaults.experts_per_token = 10;
    family.defaults.expert_intermediate_size = 512;
    family.defaults.shared_intermediate_size = 512;
    family.defaults.normalise_experts_by_default = true;
    family.readKeys = [](const json::Value& json, ModelConfig& config) {
        readDeltaNet(json, config);
        config.state.fused_projections = json.boolean("linear_fused_projections", true);
    };
    return family;
}

} // namespace ep::model::families
