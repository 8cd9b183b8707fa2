// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"

namespace ep::model::families {
namespace {

// Attention and MLP in parallel or sequential, each with its own norm; one fused projection whose
// rows are sorted by head; a part of each head rotates.
FamilyShape gptNeoXShape(const ModelConfig& config)
{
    return {.order =
                config.parallel_residual ? LayerOrder::ParallelTwoNorms : LayerOrder::Sequential,
            .norm = NormStyle::Layer,
            .attention = {.qkv_bias = config.attention_bias,
                          .output_bias = config.attention_bias,
                          .fused_name = "query_key_value",
                          .layout = {.interleaved_heads = config.num_attention_heads},
                          .output_name = "dense"},
            .mlp = {.kind = MlpOptions::Kind::Plain,
                    .bias = true,
                    .first = "dense_h_to_4h",
                    .second = "dense_4h_to_h"},
            .names = {.spellings = {{"gpt_neox.", "embed_out"}},
                      .embedding = "embed_in",
                      .final_norm = "final_layer_norm",
                      .attention = "attention."}};
}

} // namespace

// GPT-NeoX and Pythia.
Family gptNeoX()
{
    return {.defaults = {.model_type = "gpt_neox",
                         .partial_rotary_factor = 0.25,
                         .hidden_act = "gelu",
                         .attention_bias = true,
                         .parallel_residual = true},
            .shape = gptNeoXShape};
}

} // namespace ep::model::families
