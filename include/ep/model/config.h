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
    double long_attention_factor = 0.0; // longrope: factor beyond the original context; 0: the same
    double score_factor = 1.0; // yarn: magnitude, for families that scale the scores by it
    double share = 1.0; // proportional: share of a head's pairs that rotate, the first ones
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
    // Phi-3.5 MoE: chooses experts one after the other, each weighed against those close to it.
    bool sparsemixer = false;
    // Number of groups; experts are chosen only from the best `chosen_groups` of them.
    int groups = 1;
    int chosen_groups = 1;
    bool groups_by_best = false; // rates a group by its best expert, not by the sum of two
    double jitter = 0.01; // sparsemixer: how close the logit of an expert must be to count
    bool beside_dense = false; // layers also have a dense MLP
    int experts = 0; // 0: no mixture of experts
    int experts_per_token = 0;
    int intermediate_size = 0; // intermediate size of one expert
    int shared_intermediate_size = 0; // width of the shared expert; 0: no shared expert
    int latent_size = 0; // width of the experts' input and output; 0: hidden_size
    bool sigmoid = false; // scores are independent sigmoids instead of a softmax
    bool corrected = false; // a correction is added to the scores, but only to choose experts
    double factor = 1.0; // factor of the weights
    double epsilon = 0.0; // added to the sum by which the weights are normalised
    bool normalise = false; // the weights of the chosen experts are normalised to a sum of 1
    std::vector<bool> layers{}; // which layers have experts

    bool operator==(const MoeSettings&) const = default;
};

// The part of a layer that attends to other positions.
enum class Mixer : std::uint8_t {
    Attention,
    DeltaNet, // linear attention with the gated delta rule
    ShortConvolution,
    Mamba, // Mamba-2
    MambaAndAttention, // both side by side
    None, // the layer is only a feed-forward network
};

// Multipliers on the projections of a Mamba mixer (Falcon-H1).
struct StateFactors {
    double in = 1.0; // of the whole input projection
    double z = 1.0; // of the gate z
    double x = 1.0;
    double b = 1.0;
    double c = 1.0;
    double dt = 1.0;
    double out = 1.0; // of the mixer's output

    bool operator==(const StateFactors&) const = default;
};

// Multipliers on the branches of a layer (Falcon-H1).
struct BranchFactors {
    double attention_in = 1.0;
    double attention_out = 1.0;
    double mlp_gate = 1.0;
    double mlp_down = 1.0;

    bool operator==(const BranchFactors&) const = default;
};

// Sizes of mixers whose state does not grow with the context. A state is a matrix [key_dim,
// value_dim] for each value head.
struct StateSettings {
    int key_heads = 0; // Mamba: groups, each with its own B and C
    int value_heads = 0;
    int key_dim = 0; // Mamba: its "state size"
    int value_dim = 0;
    int taps = 0; // positions that the causal convolution sees
    bool conv_bias = false;
    bool projection_bias = false; // whether the input projection has a bias
    bool output_bias = false; // whether the output projection has a bias
    int norm_groups = 1; // Mamba: parts that are normalised separately
    StateFactors factors{};
    bool normalises = true; // false: values read from the state are only gated
    bool norm_first = false; // Mamba: norm before gate
    bool fused_projections = false; // DeltaNet: one projection for q, k, v and the gate
    double least_step = 0.0; // limits of the time step
    double most_step = std::numeric_limits<double>::infinity();
    bool tiled = false; // value head i uses key head i mod key_heads; false: neighbours share one

    std::int64_t keys() const { return std::int64_t{key_heads} * key_dim; }
    std::int64_t values() const { return std::int64_t{value_heads} * value_dim; }
    bool operator==(const StateSettings&) const = default;
};

// How MLX quantizes: with a scale and, in affine mode, a bias for every `group` columns of a row.
enum class MlxMode : std::uint8_t {
    Affine, // scale x q + bias
    Mxfp4, // scale x E2M1, the scale in E8M0
    Mxfp8, // scale x E4M3, the scale in E8M0
    Nvfp4, // scale x E2M1, the scale in E4M3
};

struct MlxLayer {
    int bits = 0; // 0: not quantized
    int group = 0;
    MlxMode mode = MlxMode::Affine;

    bool operator==(const MlxLayer&) const = default;
};

struct MlxSettings {
    MlxLayer usual;
    std::map<std::string, MlxLayer> layers; // modules that differ, by name

    MlxLayer of(const std::string& module) const
    {
        const auto found = layers.find(module);
        return found == layers.end() ? usual : found->second;
    }
    bool operator==(const MlxSettings&) const = default;
};

// How a HuggingFace folder packs its weights. Which ones are packed, and further details, follow
// from the tensors.
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
    int bits = 0; // for GPTQ and AWQ
    int group = 0; // for GPTQ and AWQ: number of columns with a common scale; -1: a whole row
    bool zeros_are_one_less = true; // GPTQ before its second format

    bool operator==(const PackedSettings&) const = default;
};

// Bytes per number of each matrix, including its share of the scales, in the format in which the
// model is computed (computedIn()); only if it has types of few bits.
struct MatrixSizes {
    std::optional<double> embedding;
    std::optional<double> head;
    std::map<std::pair<int, Component>, double> components; // by layer and component

    bool operator==(const MatrixSizes&) const = default;
};

// Multi-head latent attention: keys and values are projected to a vector
// of low rank, from which each head computes its own. The cache keeps one
// such vector, and the rotated part of the keys, per position for all
// heads.
struct LatentAttention {
    int query_rank = 0; // 0: queries have a single projection
    int rank = 0; // rank of keys and values together
    int plain_dim = 0; // dimensions of a head's queries and keys that are not rotated
    int rotary_dim = 0; // dimensions that are rotated
    int value_dim = 0;

    int queries() const { return plain_dim + rotary_dim; } // dimensions of a head's query
    int keptKeys() const { return rotary_dim + rank; }
    bool operator==(const LatentAttention&) const = default;
};

// A layer's heads, if they differ from the model's.
struct LayerHeads {
    int head_dim = 0;
    int kv_heads = 0;

    bool operator==(const LayerHeads&) const = default;
};

struct ModelConfig {
    std::string architecture; // "LlamaForCausalLM"
    std::string model_type; // "llama"
    int hidden_size = 0;
    int intermediate_size = 0; // width of the MLP; if some layers have experts, of the dense layers
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
    double partial_rotary_factor = 1.0; // share of each head that rotates
    double attention_scale = 0.0; // scale of the scores; 0: 1 / sqrt(head_dim)
    std::optional<double> attn_logit_softcapping; // scores x become cap * tanh(x / cap)
    std::optional<double> final_logit_softcapping;
    bool scale_attn_by_layer = false; // GPT-2: also divides scores by the number of the layer
    std::string hidden_act = "silu";
    bool attention_bias = false; // on queries, keys, values and, if the family has one, the output
    bool attention_output_bias = false; // for families with a separate key
    bool mlp_bias = false;
    bool head_bias = false;
    bool tie_word_embeddings = false;
    bool qk_layernorm = false;
    bool parallel_residual = false; // attention and MLP in parallel, for families with both forms
    MoeSettings moe;
    std::vector<Mixer> mixers; // one per layer; empty: attention everywhere
    bool split_gate_up =
        false; // the file keeps gate and up separate, although the family fuses them
    bool one_part_layers = false; // a layer is a mixer or a feed-forward network (Nemotron-H)
    StateSettings state;
    BranchFactors branches;
    double embedding_factor = 1.0; // factor of the embedding
    double residual_factor = 1.0; // multiplies what attention and MLP add to the residual stream
    double logit_factor = 1.0;
    std::optional<LatentAttention> latent; // replaces keys and values per head
    double query_growth = 0.0; // growth of queries beyond the original context, see AttentionShape
    int query_period = 1;
    double qkv_limit = 0.0; // limit of queries, keys and values (OLMoE); 0: off
    bool interleaved_rotation = false; // rotates pairs (2i, 2i + 1), for families with both forms
    double gate_limit = 0.0; // limit of gates and ups of experts (gpt-oss); 0: off
    double gate_alpha = 1.702; // the activation is then gate x sigmoid(alpha gate) x (up + 1)
    std::vector<bool> unrotated_layers; // one entry per layer if some do not rotate
    std::map<int, LayerHeads> layer_heads; // heads of layers that differ
    int shared_cache_layers = 0; // number of last layers that use earlier keys and values
    bool double_wide_mlp = false; // these layers have an MLP of twice the width
    bool keys_are_values = false; // in layers without a window, keys are used as values
    int per_layer_input = 0; // width of an input that each layer gets from the token; 0: none
    int per_layer_vocabulary = 0;
    std::optional<int> sliding_window; // number of visible keys, including the position itself
    std::vector<bool> windowed_layers; // one entry per layer if only some have the window
    std::optional<DType> stored_dtype; // according to config.json; the files take precedence
    std::string quantization; // an unsupported method; empty: not quantized, or supported
    MlxSettings mlx;
    PackedSettings packed;
    MatrixSizes matrix_sizes;
    std::vector<std::int32_t> eos_token_ids; // from generation_config.json, or else config.json
    std::optional<std::int32_t> bos_token_id;
    // Ids of image and sound tokens, which a text prompt embeds as padding (Gemma 4).
    std::vector<std::int32_t> placeholder_ids;
    std::int32_t placeholder_padding = 0;

    bool operator==(const ModelConfig&) const = default;

    // The number of positions that the model supports, including dynamic scaling.
    int contextLength() const;
    // The window of a layer, if any.
    std::optional<int> windowOf(int layer) const;
    bool hasExperts(int layer) const;
    Mixer mixerOf(int layer) const;
    bool attends(int layer) const; // whether the layer has keys and values
    bool hasFeedForward(int layer) const
    {
        return !one_part_layers || mixerOf(layer) == Mixer::None;
    }
    bool hasDenseMlp(int layer) const
    {
        return hasFeedForward(layer) && (!hasExperts(layer) || moe.beside_dense);
    }
    int headDim(int layer) const;
    int kvHeads(int layer) const;
    int intermediateSize(int layer) const; // width of the dense MLP
    bool rotates(int layer) const;
    bool sharesCache(int layer) const;
    int cacheSource(int layer) const; // the layer whose keys and values this one reads
    bool valuesAreKeys(int layer) const { return keys_are_values && !windowOf(layer); }
    // Number of rotated dimensions of a head; even.
    int rotaryDim() const { return rotaryDim(0); }
    int rotaryDim(int layer) const;
};

// Reads folder/config.json (and generation_config.json, if present), or a GGUF file. Checks
// ranges and divisibility, which later code may rely on: positive sizes, heads divisible by kv
// heads.
Result<ModelConfig> readModelConfig(const std::filesystem::path& folder);

// Checks whether the engine supports this model; if not, an Unsupported error says why.
Status checkSupported(const ModelConfig& config);

} // namespace ep::model
