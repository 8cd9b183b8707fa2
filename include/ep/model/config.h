// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/core/words.h"
#include "ep/model/dtype.h"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ep::model {

// Position scaling. Parameters not used by a kind keep their defaults.
struct RopeScaling {
    enum class Kind : std::uint8_t { None, Linear, Dynamic, Llama3, Yarn, Longrope, Proportional };
    Kind kind = Kind::None;
    double factor = 1.0;
    int original_max_position_embeddings = 0; // context length before scaling
    double low_freq_factor = 1.0; // llama3
    double high_freq_factor = 4.0;
    double beta_fast = 32.0; // yarn
    double beta_slow = 1.0;
    bool truncate = true;
    double attention_factor = 1.0; // factor of the cosines and sines
    double share = 1.0; // proportional: of the pairs of a head that turn, the first ones
    std::vector<double> short_factor{}; // longrope: one per pair of dimensions, up to the
    std::vector<double> long_factor{}; // original context and beyond it

    bool operator==(const RopeScaling&) const = default;
};

// Rotary position embedding of queries and keys.
struct RopeSettings {
    double theta = 10000.0;
    RopeScaling scaling{};

    bool operator==(const RopeSettings&) const = default;
};

// A mixture of experts instead of the MLP.
struct MoeSettings {
    int experts = 0; // 0: no mixture of experts
    int experts_per_token = 0;
    int intermediate_size = 0; // intermediate size of one expert
    int shared_intermediate_size = 0; // of the shared expert; 0: no shared expert
    bool sigmoid = false; // scores are sigmoids, each of its own, instead of a softmax
    bool corrected = false; // a correction is added to the scores, only to choose
    double factor = 1.0; // of the weights
    double epsilon = 0.0; // added to the sum by which they are normalised
    bool normalise = false; // normalise the weights of the chosen experts to a sum of 1
    std::vector<bool> layers{}; // layers with experts

    bool operator==(const MoeSettings&) const = default;
};

// What brings information from other positions into a layer.
enum class Mixer : std::uint8_t {
    Attention,
    DeltaNet, // linear attention by the gated delta rule
    ShortConvolution,
    Mamba, // Mamba-2
    MambaAndAttention, // side by side
    None, // the layer is a feed-forward network
};

// Factors of what a Mamba mixer projects (Falcon-H1).
struct StateFactors {
    double in = 1.0; // of all
    double z = 1.0; // of the gate
    double x = 1.0;
    double b = 1.0;
    double c = 1.0;
    double dt = 1.0;
    double out = 1.0; // of the mixer's output

    bool operator==(const StateFactors&) const = default;
};

// Factors of the branches of a layer (Falcon-H1).
struct BranchFactors {
    double attention_in = 1.0;
    double attention_out = 1.0;
    double mlp_gate = 1.0;
    double mlp_down = 1.0;

    bool operator==(const BranchFactors&) const = default;
};

// Sizes of the mixers whose state does not grow with the context. A state is a matrix
// [key_dim, value_dim] for each value head.
struct StateSettings {
    int key_heads = 0; // Mamba: groups, each with its B and C
    int value_heads = 0;
    int key_dim = 0; // Mamba: the size that it calls that of the state
    int value_dim = 0;
    int taps = 0; // of the causal convolution: positions that one sees
    bool conv_bias = false;
    bool projection_bias = false; // of the input projection
    bool output_bias = false; // of the output projection
    int norm_groups = 1; // Mamba: parts that are normalised apart
    StateFactors factors{};
    bool normalises = true; // what was read; false: it is only gated
    bool norm_first = false; // Mamba: before the gate
    bool fused_projections = false; // DeltaNet: one for q, k, v and the gate
    double least_step = 0.0; // limits of the length of a time step
    double most_step = std::numeric_limits<double>::infinity();
    bool tiled = false; // value head i reads key head i mod key_heads, not adjacent heads the same

    std::int64_t keys() const { return std::int64_t{key_heads} * key_dim; }
    std::int64_t values() const { return std::int64_t{value_heads} * value_dim; }
    bool operator==(const StateSettings&) const = default;
};

// How MLX quantises: with a scale, and in affine mode a bias, for each `group` columns of a row.
enum class MlxMode : std::uint8_t {
    Affine, // scale x q + bias
    Mxfp4, // scale x E2M1, the scale in E8M0
    Mxfp8, // scale x E4M3, the scale in E8M0
    Nvfp4, // scale x E2M1, the scale in E4M3
};

struct MlxLayer {
    int bits = 0; // 0: not quantised
    int group = 0;
    MlxMode mode = MlxMode::Affine;

    bool operator==(const MlxLayer&) const = default;
};

struct MlxSettings {
    MlxLayer usual;
    std::map<std::string, MlxLayer> layers; // by the name of a module, those that differ

    MlxLayer of(const std::string& module) const
    {
        const auto found = layers.find(module);
        return found == layers.end() ? usual : found->second;
    }
    bool operator==(const MlxSettings&) const = default;
};

// How a HuggingFace folder packs its weights; which of them are packed, and more, their tensors
// say.
enum class PackedMethod : std::uint8_t {
    None,
    Gptq,
    Awq,
    CompressedTensors,
    Fp8,
    Mxfp4,
    BitsAndBytes,
};

struct PackedSettings {
    PackedMethod method = PackedMethod::None;
    int bits = 0; // GPTQ, AWQ
    int group = 0; // likewise: columns with a common scale; -1: a whole row
    bool zeros_are_one_less = true; // GPTQ before its second format

    bool operator==(const PackedSettings&) const = default;
};

// Bytes of one number of each matrix as it is stored, with its share of the scales; only of
// quantised files.
struct StoredSizes {
    std::optional<double> embedding;
    std::optional<double> head;
    std::map<std::pair<int, Component>, double> components; // by layer

    bool operator==(const StoredSizes&) const = default;
};

// config.json and generation_config.json in one form: reads the keys of transformers 4 and 5 and
// older ones, with the same defaults as HuggingFace. A model for text and images is
// described by its text part.
struct ModelConfig {
    std::string architecture; // "LlamaForCausalLM"
    std::string model_type; // "llama"
    int hidden_size = 0;
    int intermediate_size = 0; // of the MLP; of the dense layers if others have experts
    int num_hidden_layers = 0;
    int num_attention_heads = 0;
    int num_key_value_heads = 0;
    int head_dim = 0;
    int vocab_size = 0;
    int max_position_embeddings = 0;
    double rms_norm_eps = 1e-6;
    double layer_norm_eps = 1e-5; // for families with LayerNorm
    RopeSettings rope;
    std::optional<RopeSettings> local_rope; // for layers with a window, if different (Gemma 3)
    double partial_rotary_factor = 1.0; // share of each head that is rotated
    double attention_scale = 0.0; // factor of the scores; 0: 1 / sqrt(head_dim)
    std::optional<double> attn_logit_softcapping; // scores x become cap * tanh(x / cap)
    std::optional<double> final_logit_softcapping;
    bool scale_attn_by_layer = false; // GPT-2: also divide scores by the number of the layer
    std::string hidden_act = "silu";
    bool attention_bias = false; // for queries, keys, values and, if the family has one, the output
    bool mlp_bias = false;
    bool tie_word_embeddings = false;
    bool qk_layernorm = false;
    bool parallel_residual = false; // attention and MLP in parallel, for families with both forms
    MoeSettings moe;
    std::vector<Mixer> mixers; // of each layer; empty: attention everywhere
    StateSettings state;
    BranchFactors branches;
    double embedding_factor = 1.0; // of the embedding
    double residual_factor = 1.0; // of what attention and MLP add to the stream
    double logit_factor = 1.0;
    std::optional<int> sliding_window; // visible keys, including the position itself
    std::vector<bool> windowed_layers; // one per layer if only some have the window
    std::optional<DType> stored_dtype; // according to config.json; the files decide
    std::string quantization; // a method that is not supported; empty: not quantised, or it is
    MlxSettings mlx;
    PackedSettings packed;
    StoredSizes stored_sizes;
    std::vector<std::int32_t> eos_token_ids; // from generation_config.json, or else config.json
    std::optional<std::int32_t> bos_token_id;

    bool operator==(const ModelConfig&) const = default;

    // The number of positions that the model supports, including dynamic scaling.
    int contextLength() const;
    // The window of a layer, if any.
    std::optional<int> windowOf(int layer) const;
    bool hasExperts(int layer) const;
    Mixer mixerOf(int layer) const;
    bool attends(int layer) const; // has keys and values
    // Number of rotated dimensions of a head, even.
    int rotaryDim() const;
};

// Reads folder/config.json (and generation_config.json, if present), or a GGUF file. Checks ranges
// and divisibility, so that later code may rely on them: positive sizes, heads divisible by kv
// heads.
Result<ModelConfig> readModelConfig(const std::filesystem::path& folder);

// Checks whether the engine supports this model; if not, an Unsupported error says why.
Status checkSupported(const ModelConfig& config);

} // namespace ep::model
