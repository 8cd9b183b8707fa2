// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"

namespace ep::model::families {
namespace {

// LayerNorm instead of RMSNorm. In some models, attention and MLP run in parallel after one norm;
// in some, every head is normalised.
FamilyShape stableLmShape(const ModelConfig& config)
{
    return {.order = config.parallel_residual ? LayerOrder::Parallel : LayerOrder::Sequential,
            .norm = NormStyle::Layer,
            .attention = {.qkv_bias = config.attention_bias,
                          .head_norm = config.qk_layernorm
                              ? AttentionOptions::HeadNorm::LayerOfEachHead
                              : AttentionOptions::HeadNorm::None,
                          .q_norm_name = "q_layernorm",
                          .k_norm_name = "k_layernorm"},
            .mlp = {.bias = config.mlp_bias}};
}

} // namespace

Family stableLm()
{
    return {.defaults = {.model_type = "stablelm",
                         .max_position_embeddings = 4096,
                         .kv_heads = 32,
                         .partial_rotary_factor = 0.25,
                         .attention_bias_key = "use_qkv_bias"},
            .shape = stableLmShape,
            .gguf = {.architectures = {"stablelm"}}};
}

} // namespace ep::model::families
