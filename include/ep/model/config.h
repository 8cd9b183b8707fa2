// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ep::model {

// Int8: our own weight-only quantisation; no file is stored so.
enum class DType : std::uint8_t { F32, F16, BF16, Int8 };
std::string_view name(DType dtype); // "f32", "f16", "bf16", "int8"
std::optional<DType> dtypeFromName(std::string_view word);

// Position scaling. Parameters not used by a kind keep their defaults.
struct RopeScaling {
    enum class Kind : std::uint8_t { None, Linear, Dynamic, Llama3, Yarn, Longrope };
    Kind kind = Kind::None;
    double factor = 1.0;
    int original_max_position_embeddings = 0; // context before it was stretched
    double low_freq_factor = 1.0; // llama3
    double high_freq_factor = 4.0;
    double beta_fast = 32.0; // yarn
    double beta_slow = 1.0;
    bool truncate = true;
    double attention_factor = 1.0; // yarn, longrope: of the cosines and sines
    std::vector<double> short_factor{}; // longrope: one for each pair of dimensions, up to the
    std::vector<double> long_factor{}; // original context and beyond it

    bool operator==(const RopeScaling&) const = default;
};

// How queries and keys turn with the position.
struct RopeSettings {
    double theta = 10000.0;
    RopeScaling scaling{};

    bool operator==(const RopeSettings&) const = default;
};

// A mixture of experts in place of the MLP.
struct MoeSettings {
    int experts = 0; // 0: there is none
    int experts_per_token = 0;
    int intermediate_size = 0; // of one expert
    int shared_intermediate_size = 0; // of the expert that every token passes; 0: there is none
    bool normalise = false; // the weights of the chosen experts are made to add up to 1
    std::vector<bool> layers{}; // which ones have it

    bool operator==(const MoeSettings&) const = default;
};

// config.json and generation_config.json in one spelling: the keys of transformers 4 and 5 and the
// older ones are read, defaults filled in as HuggingFace does. A model of text and images is
// described by its text part.
struct ModelConfig {
    std::string architecture; // "LlamaForCausalLM"
    std::string model_type; // "llama"
    int hidden_size = 0;
    int intermediate_size = 0; // of the MLP; of a dense layer where others have experts
    int num_hidden_layers = 0;
    int num_attention_heads = 0;
    int num_key_value_heads = 0;
    int head_dim = 0;
    int vocab_size = 0;
    int max_position_embeddings = 0;
    double rms_norm_eps = 1e-6;
    double layer_norm_eps = 1e-5; // of families with LayerNorm
    RopeSettings rope;
    std::optional<RopeSettings> local_rope; // of layers with a window, where it differs (Gemma 3)
    double partial_rotary_factor = 1.0; // share of each head that turns with the position
    double attention_scale = 0.0; // of the scores; 0: 1 / sqrt(head_dim)
    std::optional<double> attn_logit_softcapping; // scores x become cap * tanh(x / cap)
    std::optional<double> final_logit_softcapping;
    bool scale_attn_by_layer = false; // GPT-2: scores are divided by the layer's number as well
    std::string hidden_act = "silu";
    bool attention_bias = false; // of queries, keys, values and, unless the family has none, output
    bool mlp_bias = false;
    bool tie_word_embeddings = false;
    bool qk_layernorm = false;
    bool parallel_residual = false; // attention and MLP side by side, where a family has both
    MoeSettings moe;
    std::optional<int> sliding_window; // keys that a position sees, itself included
    std::vector<bool> windowed_layers; // one for each layer when only some have the window
    std::optional<DType> stored_dtype; // as config.json claims; the files decide
    std::string quantization; // method of quantization_config; empty: not quantised
    std::vector<std::int32_t> eos_token_ids; // of generation_config.json, else of config.json
    std::optional<std::int32_t> bos_token_id;

    bool operator==(const ModelConfig&) const = default;

    // Positions that the model is made for: with dynamic scaling, after stretching.
    int contextLength() const;
    // The window of one layer, if it has one.
    std::optional<int> windowOf(int layer) const;
    bool hasExperts(int layer) const;
    // Dimensions of a head that turn with the position, an even number.
    int rotaryDim() const;
};

// Reads folder/config.json (and generation_config.json if there). Checks ranges and divisibility,
// so that later code may rely on them: sizes positive, heads divisible by kv heads, and so on.
Result<ModelConfig> readModelConfig(const std::filesystem::path& folder);

// Whether the engine can compute this model; if not, an Unsupported error that says why.
Status checkSupported(const ModelConfig& config);

} // namespace ep::model
