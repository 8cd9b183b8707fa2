// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"

namespace ep::model::families {
namespace {

FamilyShape mixtralShape(const ModelConfig& config)
{
    return {.mlp = {.bias = config.mlp_bias},
            .moe = {.prefixes = {"mlp.", "block_sparse_moe."}, // names in transformers 5, and in 4
                    .gate = "w1",
                    .up = "w3",
                    .down = "w2"}};
}

} // namespace

// Like Mistral, with a mixture of experts in every layer.
Family mixtral()
{
    return {.defaults = {.model_type = "mixtral",
                         .max_position_embeddings = 131072,
                         .kv_heads = 8,
                         .rms_norm_eps = 1e-5,
                         .rope_theta = 1e6,
                         .window_rule = WindowRule::All,
                         .experts = 8,
                         .experts_per_token = 2,
                         .normalise_experts = true},
            .shape = mixtralShape,
            .gguf = {.architectures = {"llama"}, .matches = hasExperts, .turned_heads = true}};
}

} // namespace ep::model::families
