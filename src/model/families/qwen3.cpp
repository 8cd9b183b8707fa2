// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"

namespace ep::model::families {
namespace {

// Normalises every head of queries and keys before rotation.
FamilyShape qwen3Shape(const ModelConfig& config)
{
    return {.attention = {.qkv_bias = config.attention_bias,
                          .output_bias = config.attention_bias,
                          .head_norm = AttentionOptions::HeadNorm::Rms},
            .mlp = {.bias = config.mlp_bias}};
}

} // namespace

Family qwen3()
{
    return {.defaults = {.model_type = "qwen3",
                         .max_position_embeddings = 32768,
                         .kv_heads = 32,
                         .head_dim = 128,
                         .window_rule = WindowRule::FromLayer,
                         .sliding_window = 4096},
            .shape = qwen3Shape,
            .gguf = {.architectures = {"qwen3"}}};
}

// Qwen 3 with experts, without a shared expert.
Family qwen3Moe()
{
    return {.defaults = {.model_type = "qwen3_moe",
                         .max_position_embeddings = 32768,
                         .kv_heads = 4,
                         .window_rule = WindowRule::Optional,
                         .sliding_window = 4096,
                         .experts = 128,
                         .experts_per_token = 8,
                         .expert_intermediate_size = 768},
            .shape = qwen3Shape,
            .gguf = {.architectures = {"qwen3moe"}}};
}

} // namespace ep::model::families
