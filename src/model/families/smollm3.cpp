// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"

#include "ep/json/value.h"

namespace ep::model::families {
namespace {

FamilyShape smolLm3Shape(const ModelConfig& config)
{
    return {.attention = {.qkv_bias = config.attention_bias, .output_bias = config.attention_bias},
            .mlp = {.bias = config.mlp_bias}};
}

} // namespace

// Like Llama, but every fourth layer does not rotate.
Family smolLm3()
{
    return {.defaults = {.model_type = "smollm3",
                         .max_position_embeddings = 32768,
                         .kv_heads = 4,
                         .rope_theta = 2e6,
                         .window_rule = WindowRule::Optional,
                         .tied = true,
                         .hidden_size = 2048,
                         .intermediate_size = 11008,
                         .layers = 36,
                         .heads = 16,
                         .vocabulary = 128256,
                         .position_keys = {"no_rope_layers", "no_rope_layer_interval"},
                         .unrotated_key = "no_rope_layers"},
            .shape = smolLm3Shape,
            .readKeys =
                [](const json::Value& json, ModelConfig& config) {
                    if (config.sliding_window && !json.has("layer_types"))
                        config.windowed_layers = config.unrotated_layers;
                },
            .gguf = {.architectures = {"smollm3"}, .turned_heads = true}};
}

} // namespace ep::model::families
