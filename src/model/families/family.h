// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "families/family_shape.h"

#include "ep/json/value.h"
#include "ep/model/config.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ep::model {

struct GgufKeys;

// Which layers have the sliding window in config.json, if it has no layer_types.
enum class WindowRule : std::uint8_t {
    None, // the window is ignored
    All,
    Optional, // all layers, but only with use_sliding_window
    FromLayer, // layers from max_window_layers on, and only with use_sliding_window
    Alternating, // all but every second layer
    Pattern, // all but every n-th layer (sliding_window_pattern, 6 by default)
    AllButFourth, // all but every n-th layer, 4 by default
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
    const char* attention_bias_key = "attention_bias"; // empty: no such key
    bool tied = false;
    bool parallel_residual = false;
    // Longrope (Phi 3): its original context, if the config rather than rope_scaling has that key;
    // whether "yarn" is another name for it; whether a sequence that outgrows the original context
    // is recomputed.
    int original_max_position_embeddings = 0;
    bool yarn_is_longrope = false;
    bool recomputes_longrope = false;
    bool longrope_magnitudes = false; // short_mscale, long_mscale: factors of cosines and sines
    // Sizes, for families whose config.json may omit them; 0: must be given.
    int hidden_size = 0;
    int intermediate_size = 0;
    int layers = 0;
    // Keys of a list or string with one entry per layer, which tell the number of layers.
    std::vector<const char*> layer_lists{};
    int heads = 0;
    int vocabulary = 0;
    int mlp_ratio = 0; // intermediate_size, in units of hidden_size
    // Mixtures of experts.
    int experts = 0;
    int experts_per_token = 0;
    int expert_intermediate_size = 0; // 0: intermediate_size
    int shared_intermediate_size = 0;
    bool normalise_experts = false; // regardless of the file
    bool normalise_experts_by_default = false;
    const char* dense_layers_key = nullptr; // key with the number of first layers without experts
    int dense_layers = 0;
    bool padded_placeholders = false; // ids of images and sound are embedded as padding
    // Positions.
    std::vector<std::string_view> position_keys{}; // keys about positions that no other family has
    bool rope_alpha = false; // HunYuan: dynamic scaling with alpha only changes the base
    bool query_growth = false; // Ministral 3: llama_4_scaling_beta
    bool unscaled_windows = false; // OLMo 3: only layers without a window have the scaling
    const char* unrotated_key = nullptr; // SmolLM3: a list with 0 for layers that do not rotate
    bool unrotated_full = false; // if some layers have a window, the others do not rotate
};

// How llama.cpp writes a family into GGUF files. Keys that several families share are read by
// gguf_config.cpp and its neighbours.
struct GgufForm {
    std::vector<std::string_view>
        architectures{}; // general.architecture; empty: there are no files
    // Whether a file belongs to this family, since several families may share an architecture.
    // Null: it gets all files that no other family claims.
    bool (*matches)(const GgufKeys& keys) = nullptr;
    // Whether queries and keys rotate adjacent pairs of a head, where HuggingFace's files rotate
    // the two halves of a head.
    bool turned_heads = false;
    bool window_by_key = false; // without the key of a window, a file has no window
    // The weights of chosen experts add up to 1 only where a key says so. That is how llama.cpp
    // computes, whatever HuggingFace assumes for the family.
    bool experts_sum_by_key = false;
    // Number of layers of the model that scales its scores by hidden size / heads instead of the
    // head's size, which its file does not state. 0: there is no such model.
    int layers_scaled_by_width = 0;
};

namespace families {
// For GgufForm::matches.
bool hasExperts(const GgufKeys& keys);
bool hasWindow(const GgufKeys& keys);
bool choosesBySigmoids(const GgufKeys& keys);
FamilyShape llamaShape(const ModelConfig& config); // with biases as in the config
} // namespace families

// All that the program knows about a family of models: one file in this folder and one row in
// families.def.
struct Family {
    // Values that HuggingFace assumes for keys missing from a config.json of this model_type.
    ConfigDefaults defaults{};
    // How its layers are assembled, for a config that has been read.
    FamilyShape (*shape)(const ModelConfig& config) = families::llamaShape;
    // Reads keys that no other family has, after all others; may be null.
    void (*readKeys)(const json::Value& json, ModelConfig& config) = nullptr;
    GgufForm gguf{};
};

struct FamilyRow {
    std::string_view architecture; // in config.json
    Family family;
};

// The shape of config.architecture; Llama's for an architecture that is not supported.
FamilyShape familyShape(const ModelConfig& config);

// The family for this model_type, or one with general defaults if it is unknown.
const Family& familyOfType(std::string_view modelType);

// The row that a GGUF file with these keys belongs to; null: its architecture is not supported.
const FamilyRow* familyOfGguf(const GgufKeys& keys);

// Values of general.architecture in GGUF files that are supported, "llama, mistral3".
std::string supportedInGguf();

// Values of "architectures" in config.json that are supported.
const std::vector<std::string_view>& supportedArchitectures();

} // namespace ep::model
