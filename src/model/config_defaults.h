// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace ep::model {

// What HuggingFace assumes for keys that a config.json leaves out; it differs between families.
struct ConfigDefaults {
    std::string_view model_type;
    int max_position_embeddings = 2048;
    int kv_heads = 0; // 0: as many as attention heads
    double rms_norm_eps = 1e-6;
    double partial_rotary_factor = 1.0;
    int sliding_window = 0; // 0: none
    std::string_view hidden_act = "silu";
    bool attention_bias = false;
    bool window_is_optional = false; // only with use_sliding_window
};

// The row of a model type; general defaults for one that is not known.
const ConfigDefaults& configDefaults(std::string_view modelType);

} // namespace ep::model
