// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"

#include "ep/json/value.h"

namespace ep::model::families {
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
            .readKeys =
                [](const json::Value& json, ModelConfig& config) {
                    if (config.sliding_window && !json.has("layer_types"))
                        config.windowed_layers = config.unrotated_layers;
                },
            .gguf = {.architectures = {"smollm3"}, .turned_heads = true}};
}

} // namespace ep::model::families
