// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace ep::model {

// Which layers have the sliding window of config.json, when it has no layer_types.
enum class WindowRule : std::uint8_t {
    None, // a window is ignored
    All,
    Optional, // all, but only with use_sliding_window
    FromLayer, // those from max_window_layers on, and only with use_sliding_window
    Alternating, // all but every second one
    Pattern, // all but every sixth one (sliding_window_pattern)
};

// What HuggingFace assumes for keys that a config.json leaves out; it differs between families.
struct ConfigDefaults {
    std::string_view model_type;
    int max_position_embeddings = 2048;
    int kv_heads = 0; // 0: as many as attention heads
    int head_dim = 0; // 0: hidden_size / num_attention_heads
    double rms_norm_eps = 1e-6;
    double rope_theta = 10000.0;
    double partial_rotary_factor = 1.0;
    WindowRule window_rule = WindowRule::None;
    int sliding_window = 0; // 0: none
    std::string_view hidden_act = "silu";
    bool attention_bias = false;
    bool tied = false;
    bool parallel_residual = false;
    int original_max_position_embeddings = 0; // of Phi 3, beside its rope_scaling
    // Gemma's scores and logits.
    double query_pre_attn_scalar = 0.0; // 0: head_dim
    double attn_logit_softcapping = 0.0; // 0: none
    double final_logit_softcapping = 0.0;
    // Sizes, where a config.json may leave out even these; 0: it may not.
    int hidden_size = 0;
    int intermediate_size = 0;
    int layers = 0;
    int heads = 0;
    int vocabulary = 0;
    // Mixtures of experts.
    int experts = 0;
    int experts_per_token = 0;
    int expert_intermediate_size = 0; // 0: intermediate_size
    int shared_intermediate_size = 0;
    bool normalise_experts = false;
};

// The row of a model type; general defaults for one that is not known.
const ConfigDefaults& configDefaults(std::string_view modelType);

} // namespace ep::model
