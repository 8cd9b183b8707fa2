// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"

namespace ep::model::families {
namespace {

// One projection for queries, keys and values, and one for gate and up.
FamilyShape phi3Shape(const ModelConfig& config)
{
    return {.attention = {.fused_name = "qkv_proj"},
            .mlp = {.kind = MlpOptions::Kind::FusedGated, .bias = config.mlp_bias}};
}

} // namespace

// Phi 3, 3.5 and 4.
Family phi3()
{
    return {.defaults = {.model_type = "phi3",
                         .max_position_embeddings = 4096,
                         .rms_norm_eps = 1e-5,
                         .window_rule = WindowRule::All,
                         .attention_bias_key = "",
                         .original_max_position_embeddings = 4096,
                         .yarn_is_longrope = true,
                         .recomputes_longrope = true},
            .shape = phi3Shape,
            .gguf = {.architectures = {"phi3"}}};
}

} // namespace ep::model::families
