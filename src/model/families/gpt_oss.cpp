// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"

#include "ep/json/value.h"

namespace ep::model::families {
namespace {

// All projections have biases, including the router and the experts; each head has a sink.
FamilyShape gptOssShape(const ModelConfig& config)
{
    return {.attention = {.qkv_bias = config.attention_bias,
                          .output_bias = config.attention_bias,
                          .sinks_name = "sinks"},
            .moe = {.router = "router", .stacked_as_inputs = true, .bias = true}};
}

} // namespace

// gpt-oss: every second layer has a window, and experts' gates are clamped.
Family gptOss()
{
    return {.defaults = {.model_type = "gpt_oss",
                         .max_position_embeddings = 131072,
                         .kv_heads = 8,
                         .head_dim = 64,
                         .rms_norm_eps = 1e-5,
                         .rope_theta = 150000.0,
                         .window_rule = WindowRule::Alternating,
                         .sliding_window = 128,
                         .attention_bias = true,
                         .hidden_size = 2880,
                         .intermediate_size = 2880,
                         .layers = 36,
                         .heads = 64,
                         .vocabulary = 201088,
                         .experts = 128,
                         .experts_per_token = 4,
                         .normalise_experts = true},
            .shape = gptOssShape,
            .readKeys =
                [](const json::Value& json, ModelConfig& config) {
                    config.gate_limit = json.number("swiglu_limit", 7.0, 1e-3, 1e9);
                    config.gate_alpha = json.number("swiglu_alpha", 1.702, 1e-3, 1e9);
                },
            .gguf = {.architectures = {"gpt-oss"}}};
}

} // namespace ep::model::families
