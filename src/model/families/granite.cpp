// SPDX-License-Identifier: GPL-3.0-or-later
#include "config_parts.h"
#include "families/family.h"
#include "families/shared_keys.h"

#include "ep/json/value.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace ep::model::families {
namespace {

FamilyShape graniteShape(const ModelConfig& config)
{
    return {.attention = {.qkv_bias = config.attention_bias, .output_bias = config.attention_bias},
            .mlp = {.bias = config.mlp_bias},
            .moe = {.prefixes = {"block_sparse_moe."},
                    .router = "router.layer",
                    .stacked_gate_up = "input_linear.weight",
                    .stacked_down = "output_linear.weight"}};
}

// Reads factors for scores, embedding, branches and logits.
void readMultipliers(const json::Value& json, ModelConfig& config)
{
    config.attention_scale = json.number("attention_multiplier", 1.0, 1e-9, 1e9);
    config.embedding_factor = json.number("embedding_multiplier", 1.0, 1e-9, 1e9);
    config.residual_factor = json.number("residual_multiplier", 1.0, 1e-9, 1e9);
    config.logit_factor = 1.0 / json.number("logits_scaling", 1.0, 1e-9, 1e9);
}

FamilyShape graniteHybridShape(const ModelConfig& config)
{
    FamilyShape shape = graniteShape(config);
    shape.mlp = {.kind =
                     config.split_gate_up ? MlpOptions::Kind::Gated : MlpOptions::Kind::FusedGated,
                 .down = "output_linear",
                 .gate_up = "input_linear"};
    shape.moe.shared = "shared_mlp.";
    shape.moe.shared_of_layer = true;
    shape.moe.shared_gate.clear();
    if (!config.split_gate_up)
        shape.moe.gate_up = "input_linear";
    shape.moe.down = "output_linear";
    shape.names.mixer = "mamba.";
    shape.names.mlp = "shared_mlp.";
    return shape;
}

void readGraniteHybrid(const json::Value& json, ModelConfig& config)
{
    constexpr std::array kWords{
        MixerWord{"linear_attention", Mixer::Mamba}, MixerWord{"mamba", Mixer::Mamba},
        MixerWord{"full_attention", Mixer::Attention}, MixerWord{"attention", Mixer::Attention}};
    readMultipliers(json, config);
    const auto layers = static_cast<std::size_t>(config.num_hidden_layers);
    const char* const list = json.has("layer_types") ? "layer_types" : "layers_block_type";
    config.mixers = readMixers(json, list, kWords, config.num_hidden_layers);
    if (config.mixers.empty())
        config.mixers.assign(layers, Mixer::Mamba);
    if (std::find(config.mixers.begin(), config.mixers.end(), Mixer::Mamba)
        != config.mixers.end()) {
        const int expand = json.integer("mamba_expand", 2, 1, 64);
        readMamba(json, config, {}, std::min(expand * config.hidden_size, kMaxWidth));
        config.state.output_bias = config.state.projection_bias;
        config.state.norm_groups = config.state.key_heads;
    }
    if (json.string("position_embedding_type", "nope") != "rope")
        config.unrotated_layers.assign(layers, true);
    config.split_gate_up = json.boolean("shared_mlp_is_split", false);
    const int shared = json.integer("shared_intermediate_size", 1024, 1, kMaxWidth);
    if (config.moe.experts > 0)
        config.moe.shared_intermediate_size = shared;
    else // the shared MLP is the only one
        config.intermediate_size = shared;
}

} // namespace

// Like Llama, with four multipliers.
Family granite()
{
    return {.defaults = {.model_type = "granite"},
            .shape = graniteShape,
            .readKeys = readMultipliers,
            .gguf = {.architectures = {"granite"}, .turned_heads = true}};
}

Family graniteMoe()
{
    return {.defaults = {.model_type = "granitemoe",
                         .experts = 8,
                         .experts_per_token = 2,
                         .normalise_experts = true},
            .shape = graniteShape,
            .readKeys = readMultipliers,
            .gguf = {.architectures = {"granitemoe"}, .turned_heads = true}};
}

// Granite 4: Mamba-2 in most layers, attention in the others; with or without experts, and a
// shared MLP.
Family graniteMoeHybrid()
{
    return {.defaults = {.model_type = "granitemoehybrid",
                         .experts = 8,
                         .experts_per_token = 2,
                         .normalise_experts = true,
                         .position_keys = {"position_embedding_type"}},
            .shape = graniteHybridShape,
            .readKeys = readGraniteHybrid,
            .gguf = {.architectures = {"granitehybrid"}, .turned_heads = true}};
}

} // namespace ep::model::families
