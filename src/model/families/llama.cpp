// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"

namespace ep::model::families {
FamilyShape llamaShape(const ModelConfig& config)
{
    return {.attention = {.qkv_bias = config.attention_bias, .output_bias = config.attention_bias},
            .mlp = {.bias = config.mlp_bias}};
}

// Llama 1 to 3.x, and its exact copies.
Family llama()
{
    return {.defaults = {.model_type = "llama"},
            .gguf = {.architectures = {"llama"}, .turned_heads = true}};
}

} // namespace ep::model::families
