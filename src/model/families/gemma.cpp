// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"

namespace ep::model::families {
namespace {

FamilyShape gemmaShape(const ModelConfig& config)
{
    return {.norm = NormStyle::RmsPlusOne,
            .attention = {.qkv_bias = config.attention_bias, .output_bias = config.attention_bias},
            .mlp = {.bias = config.mlp_bias},
            .scaled_embedding = true};
}

} // namespace

// Gemma 1: like Llama, with scaled embeddings and norm weights around zero.
Family gemma()
{
    return {.defaults = {.model_type = "gemma",
                         .max_position_embeddings = 8192,
                         .kv_heads = 16,
                         .head_dim = 256,
                         .hidden_act = "gelu_pytorch_tanh",
                         .tied = true},
            .shape = gemmaShape,
            .gguf = {.architectures = {"gemma"}}};
}

} // namespace ep::model::families
