// SPDX-License-Identifier: GPL-3.0-or-later
#include "config_parts.h"
#include "families/family.h"

#include "ep/json/value.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace ep::model::families {
namespace {

// Gated short convolutions in most layers, attention in the others.
FamilyShape lfm2Shape(const ModelConfig&)
{
    return {.attention = {.output_name = "out_proj",
                          .head_norm = AttentionOptions::HeadNorm::Rms,
                          .q_norm_name = "q_layernorm",
                          .k_norm_name = "k_layernorm"},
            .mlp = {.gate = "w1", .up = "w3", .down = "w2"},
            .moe = {.prefixes = {"feed_forward."},
                    .correction = "expert_bias",
                    .gate = "w1",
                    .up = "w3",
                    .down = "w2"},
            .names = {.final_norm = "embedding_norm",
                      .input_norm = "operator_norm",
                      .post_attention_norm = "ffn_norm",
                      .mixer = "conv.",
                      .mlp = "feed_forward."}};
}

// The stated width of the MLP, or two thirds of that width times a factor, rounded up.
int adjustedWidth(const json::Value& json, int stated)
{
    if (!json.boolean("block_auto_adjust_ff_dim", true))
        return stated;
    const auto width = static_cast<double>(std::int64_t{2} * stated / 3);
    const std::int64_t multiple = json.integer("block_multiple_of", 256, 1, kMaxWidth);
    const double factor = json.number("block_ffn_dim_multiplier", 1.0, 0.0, 64.0);
    const auto scaled = static_cast<std::int64_t>(factor * width);
    const std::int64_t rounded = (scaled + multiple - 1) / multiple * multiple;
    if (rounded < 1 || rounded > kMaxWidth)
        json.fail("block_ffn_dim_multiplier", "makes the MLP wider than any model has it");
    return static_cast<int>(rounded);
}

void readConvolutions(const json::Value& json, ModelConfig& config)
{
    config.rms_norm_eps = json.number("norm_eps", 1e-5, 0.0, 1.0);
    config.tie_word_embeddings = json.boolean("tie_embedding", config.tie_word_embeddings);
    StateSettings& state = config.state;
    state.taps = json.integer("conv_L_cache", 3, 1, kMaxTaps);
    state.conv_bias = json.boolean("conv_bias", false);
    state.projection_bias = state.conv_bias;
    state.output_bias = state.conv_bias;
    constexpr std::array kWords{MixerWord{"conv", Mixer::ShortConvolution},
                                MixerWord{"full_attention", Mixer::Attention}};
    config.mixers = readMixers(json, "layer_types", kWords, config.num_hidden_layers);
    const auto attending = json.find("full_attn_idxs");
    if (!config.mixers.empty() || !attending)
        return;
    config.mixers.assign(static_cast<std::size_t>(config.num_hidden_layers),
                         Mixer::ShortConvolution);
    for (const json::Value& index : attending->elements()) {
        const std::int64_t layer = index.asInteger(0, config.num_hidden_layers - 1);
        config.mixers[static_cast<std::size_t>(layer)] = Mixer::Attention;
    }
}

} // namespace

Family lfm2()
{
    return {.defaults = {.model_type = "lfm2",
                         .max_position_embeddings = 128000,
                         .kv_heads = 8,
                         .rope_theta = 1e6,
                         .tied = true,
                         .intermediate_size = 12288},
            .shape = lfm2Shape,
            .readKeys =
                [](const json::Value& json, ModelConfig& config) {
                    readConvolutions(json, config);
                    config.intermediate_size = adjustedWidth(
                        json, json.integer("block_ff_dim", config.intermediate_size, 1, kMaxWidth));
                },
            .gguf = {.architectures = {"lfm2"}}};
}

// LFM2 with experts in all but the first layers; corrected sigmoids choose them.
Family lfm2Moe()
{
    return {.defaults = {.model_type = "lfm2_moe",
                         .max_position_embeddings = 128000,
                         .kv_heads = 8,
                         .rope_theta = 1e6,
                         .tied = true,
                         .intermediate_size = 7168,
                         .experts = 32,
                         .experts_per_token = 4,
                         .expert_intermediate_size = 1792,
                         .normalise_experts_by_default = true},
            .shape = lfm2Shape,
            .readKeys =
                [](const json::Value& json, ModelConfig& config) {
                    readConvolutions(json, config);
                    config.moe.sigmoid = true;
                    config.moe.epsilon = 1e-6;
                    config.moe.corrected = json.boolean("use_expert_bias", true);
                    config.moe.factor = json.number("routed_scaling_factor", 1.0, 0.0, 1e6);
                    const int dense = json.integer("num_dense_layers", 2, 0, kMaxLayers);
                    for (int layer = 0; layer < std::min(dense, config.num_hidden_layers); ++layer)
                        config.moe.layers[static_cast<std::size_t>(layer)] = false;
                },
            .gguf = {.architectures = {"lfm2moe"}}};
}

} // namespace ep::model::families
