// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"

namespace ep::model::families {
namespace {

FamilyShape ernieShape(const ModelConfig& config)
{
    const bool bias = config.attention_bias;
    return {.attention = {.qkv_bias = bias, .output_bias = bias, .interleaved = true},
            .mlp = {.bias = bias}};
}

} // namespace

// Like Llama, but rotates adjacent pairs; one key says whether all projections have biases.
Family ernie45()
{
    return {.defaults = {.model_type = "ernie4_5",
                         .max_position_embeddings = 131072,
                         .kv_heads = 2,
                         .head_dim = 128,
                         .rms_norm_eps = 1e-5,
                         .rope_theta = 500000.0,
                         .attention_bias_key = "use_bias",
                         .tied = true},
            .shape = ernieShape,
            .gguf = {.architectures = {"ernie4_5"}}};
}

} // namespace ep::model::families
