// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"

namespace ep::model::families {
namespace {

FamilyShape mistralShape(const ModelConfig& config)
{
    return {.mlp = {.bias = config.mlp_bias}};
}

} // namespace

// Like Llama, with the sliding window in the config.
Family mistral()
{
    return {.defaults = {.model_type = "mistral",
                         .max_position_embeddings = 131072,
                         .kv_heads = 8,
                         .window_rule = WindowRule::All,
                         .sliding_window = 4096},
            .shape = mistralShape,
            .gguf = {.architectures = {"llama"}, .matches = hasWindow, .turned_heads = true}};
}

} // namespace ep::model::families
