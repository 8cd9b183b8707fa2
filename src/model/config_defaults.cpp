// SPDX-License-Identifier: GPL-3.0-or-later
#include "config_defaults.h"

#include <array>

namespace ep::model {
namespace {

constexpr std::array<ConfigDefaults, 5> kDefaults{{
    {.model_type = "llama"},
    {.model_type = "mistral",
     .max_position_embeddings = 131072,
     .kv_heads = 8,
     .sliding_window = 4096},
    {.model_type = "qwen2",
     .max_position_embeddings = 32768,
     .kv_heads = 32,
     .sliding_window = 4096,
     .attention_bias = true,
     .window_is_optional = true},
    {.model_type = "phi",
     .partial_rotary_factor = 0.5,
     .hidden_act = "gelu_new",
     .attention_bias = true},
    {.model_type = "phi3", .max_position_embeddings = 4096, .rms_norm_eps = 1e-5},
}};

} // namespace

const ConfigDefaults& configDefaults(std::string_view modelType)
{
    static constexpr ConfigDefaults kGeneral{};
    for (const ConfigDefaults& row : kDefaults) {
        if (row.model_type == modelType)
            return row;
    }
    return kGeneral;
}

} // namespace ep::model
