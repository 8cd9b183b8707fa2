// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"

namespace ep::model::families {
namespace {

// Norms on both sides, with special names; gate and up are fused.
FamilyShape glm4Shape(const ModelConfig& config)
{
    return {.order = LayerOrder::Sandwich,
            .attention = {.qkv_bias = config.attention_bias, .interleaved = true},
            .mlp = {.kind = MlpOptions::Kind::FusedGated},
            .names = {.post_attention_norm = "post_self_attn_layernorm",
                      .pre_feedforward_norm = "post_attention_layernorm",
                      .post_feedforward_norm = "post_mlp_layernorm"}};
}

} // namespace

// GLM-4 9B and 32B: rotates half of each head, in adjacent pairs.
Family glm4()
{
    return {.defaults = {.model_type = "glm4",
                         .max_position_embeddings = 131072,
                         .kv_heads = 2,
                         .head_dim = 128,
                         .rms_norm_eps = 1.5625e-7,
                         .partial_rotary_factor = 0.5,
                         .attention_bias = true},
            .shape = glm4Shape,
            .gguf = {.architectures = {"glm4"}}};
}

} // namespace ep::model::families
