// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"

namespace ep::model::families {
namespace {

FamilyShape arceeShape(const ModelConfig& config)
{
    return {.attention = {.qkv_bias = config.attention_bias, .output_bias = config.attention_bias},
            .mlp = {.kind = MlpOptions::Kind::Plain,
                    .bias = config.mlp_bias,
                    .first = "up_proj",
                    .second = "down_proj"}};
}

} // namespace

// Llama with a plain MLP of squared ReLUs (AFM 4.5B).
Family arcee()
{
    return {.defaults = {.model_type = "arcee",
                         .max_position_embeddings = 4096,
                         .rms_norm_eps = 1e-5,
                         .hidden_act = "relu2",
                         .hidden_size = 2560,
                         .intermediate_size = 18432,
                         .layers = 32,
                         .heads = 32,
                         .vocabulary = 32000},
            .shape = arceeShape,
            .gguf = {.architectures = {"arcee"}, .turned_heads = true}};
}

} // namespace ep::model::families
