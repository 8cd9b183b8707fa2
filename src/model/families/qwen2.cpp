// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"

namespace ep::model::families {
namespace {

// Biases on queries, keys and values, none on the output.
FamilyShape qwen2Shape(const ModelConfig& config)
{
    return {.attention = {.qkv_bias = config.attention_bias}, .mlp = {.bias = config.mlp_bias}};
}

} // namespace

// Qwen 2 and 2.5.
Family qwen2()
{
    return {.defaults = {.model_type = "qwen2",
                         .max_position_embeddings = 32768,
                         .kv_heads = 32,
                         .window_rule = WindowRule::FromLayer,
                         .sliding_window = 4096,
                         .attention_bias = true,
                         .attention_bias_key = ""},
            .shape = qwen2Shape,
            .gguf = {.architectures = {"qwen2"}}};
}

// Qwen2 with experts, one of which is shared.
Family qwen2Moe()
{
    return {.defaults = {.model_type = "qwen2_moe",
                         .max_position_embeddings = 32768,
                         .kv_heads = 16,
                         .window_rule = WindowRule::Optional,
                         .sliding_window = 4096,
                         .attention_bias = true,
                         .attention_bias_key = "qkv_bias",
                         .experts = 60,
                         .experts_per_token = 4,
                         .expert_intermediate_size = 1408,
                         .shared_intermediate_size = 5632},
            .shape = qwen2Shape};
}

} // namespace ep::model::families
