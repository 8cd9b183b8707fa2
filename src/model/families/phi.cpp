// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"

namespace ep::model::families {
namespace {

// n = norm(x), x = x + attention(n) + mlp(n), with biases everywhere.
FamilyShape phiShape(const ModelConfig& config)
{
    return {.order = LayerOrder::Parallel,
            .norm = NormStyle::Layer,
            .attention = {.qkv_bias = true,
                          .output_bias = true,
                          .output_name = "dense",
                          .head_norm = config.qk_layernorm ? AttentionOptions::HeadNorm::Layer
                                                           : AttentionOptions::HeadNorm::None,
                          .q_norm_name = "q_layernorm",
                          .k_norm_name = "k_layernorm"},
            .mlp = {.kind = MlpOptions::Kind::Plain, .bias = true},
            .names = {.final_norm = "final_layernorm"},
            .head_bias = true};
}

} // namespace

// Phi 1.5 and 2.
Family phi()
{
    return {.defaults = {.model_type = "phi",
                         .partial_rotary_factor = 0.5,
                         .hidden_act = "gelu_new",
                         .attention_bias = true,
                         .attention_bias_key = ""},
            .shape = phiShape,
            .gguf = {.architectures = {"phi2"}}};
}

} // namespace ep::model::families
