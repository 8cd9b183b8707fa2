// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"

#include "ep/json/value.h"

namespace ep::model::families {
namespace {

// LayerNorm; attention and head have biases, each with its own key.
FamilyShape phiMoeShape(const ModelConfig& config)
{
    return {.norm = NormStyle::Layer,
            .attention = {.qkv_bias = config.attention_bias, .output_bias = config.attention_bias},
            .moe = {.prefixes = {"block_sparse_moe."}, .gate = "w1", .up = "w3", .down = "w2"},
            .head_bias = config.head_bias};
}

} // namespace

// Phi-3.5 MoE. As in HuggingFace, longrope uses its short factors at every length.
Family phiMoe()
{
    return {
        .defaults = {.model_type = "phimoe",
                     .max_position_embeddings = 131072,
                     .kv_heads = 8,
                     .rms_norm_eps = 1e-5,
                     .rope_theta = 1e6,
                     .window_rule = WindowRule::All,
                     .longrope_magnitudes = true,
                     .experts = 16,
                     .experts_per_token = 2},
        .shape = phiMoeShape,
        .readKeys =
            [](const json::Value& json, ModelConfig& config) {
                config.layer_norm_eps = config.rms_norm_eps;
                config.head_bias = json.boolean("lm_head_bias", false);
                config.moe.sparsemixer = true;
                config.moe.jitter = json.number("router_jitter_noise", 0.01, 0.0, 1.0);
                config.rope.scaling.long_factor = config.rope.scaling.short_factor;
            },
        .gguf = {.architectures = {"phimoe"}, .window_by_key = true, .experts_sum_by_key = true}};
}

} // namespace ep::model::families
