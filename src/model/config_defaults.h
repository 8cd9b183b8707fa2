// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace ep::model {

// Which layers have the sliding window of config.json, if it has no layer_types.
enum class WindowRule : std::uint8_t {
    None, // the window is ignored
    All,
    Optional, // all layers, but only with use_sliding_window
    FromLayer, // layers from max_window_layers on, and only with use_sliding_window
    Alternating, // all but every second layer
    Pattern, // all but every n-th layer (sliding_window_pattern), the sixth if it is not said
    AllButFourth, // the same, the fourth
};

// HuggingFace's defaults for keys omitted from config.json, which differ between families.
struct ConfigDefaults {
    std::string_view model_type;
    int max_position_embeddings = 2048;
    int kv_heads = 0; // 0: as many as attention heads
    int head_dim = 0; // 0: hidden_size / num_attention_heads
    double rms_norm_eps = 1e-6;
    double rope_theta = 10000.0;
    double partial_rotary_factor = 1.0;
    WindowRule window_rule = WindowRule::None;
    int sliding_window = 0; // 0: no window
    std::string_view hidden_act = "silu";
    const char* activation_key = "hidden_act";
    bool attention_bias = false;
    const char* attention_bias_key = "attention_bias"; // empty: there is none
    bool tied = false;
    bool parallel_residual = false;
    // Longrope (Phi 3): its original context, where that is a key of the config and not of
    // rope_scaling; whether "yarn" is another name for it; whether a sequence that outgrows the
    // original context is recomputed.
    int original_max_position_embeddings = 0;
    bool yarn_is_longrope = false;
    bool recomputes_longrope = false;
    bool longrope_magnitudes = false; // short_mscale, long_mscale: factors of cosines and sines
    // Sizes, for families whose config.json may omit them; 0: required.
    int hidden_size = 0;
    int intermediate_size = 0;
    int layers = 0;
    // Keys of a list, or a string, with an entry for each layer, which says how many there are.
    std::vector<const char*> layer_lists{};
    int heads = 0;
    int vocabulary = 0;
    int mlp_ratio = 0; // intermediate_size, in units of hidden_size
    // Mixtures of experts.
    int experts = 0;
    int experts_per_token = 0;
    int expert_intermediate_size = 0; // 0: intermediate_size
    int shared_intermediate_size = 0;
    bool normalise_experts = false; // whatever the file says
    bool normalise_experts_by_default = false;
    const char* dense_layers_key = nullptr; // number of first layers without experts
    int dense_layers = 0;
    bool padded_placeholders = false; // ids of images and sound are embedded as padding
    // Positions.
    std::vector<std::string_view> position_keys{}; // about them, that no other family has
    bool rope_alpha = false; // HunYuan: a dynamic scaling that has alpha is none but for the base
    bool query_growth = false; // Ministral 3: llama_4_scaling_beta
    bool unscaled_windows = false; // OLMo 3: only layers without a window have the scaling
    const char* unrotated_key = nullptr; // SmolLM3: a list that has 0 for layers not rotated
    bool unrotated_full = false; // where some layers have a window, the others are not rotated
};

} // namespace ep::model
