// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/config.h"

#include <cstdint>
#include <string>
#include <vector>

// How families of models differ, as data: the engine builds its decoder from it and the analytic
// count takes its numbers from it, so that the two cannot disagree. No LibTorch here.
namespace ep::model {

// Storage order of a projection, if not [out, in].
struct LinearLayout {
    bool transposed = false; // [in, out] (GPT-2)
    // Rows are stored by head, then query, key or value (GPT-NeoX); loaded as all queries, all
    // keys, all values. 0: not interleaved.
    int interleaved_heads = 0;
};

struct AttentionOptions {
    bool qkv_bias = false;
    bool output_bias = false;
    // A fused projection for queries, keys and values, in that order of rows unless the layout
    // says otherwise. Null: separate projections.
    const char* fused_name = nullptr;
    LinearLayout layout{}; // layout of the fused and the output projection
    const char* output_name = "o_proj";
    // Norm of each head of queries and keys, or of all heads as one, before rotation.
    enum class HeadNorm : std::uint8_t {
        None,
        Rms,
        RmsPlusOne,
        RmsOfAllHeads,
        Layer,
        LayerOfEachHead,
    };
    HeadNorm head_norm = HeadNorm::None;
    bool norm_after_rotation = false;
    bool value_norm = false; // for each head, without weights
    const char* q_norm_name = "q_norm";
    const char* k_norm_name = "k_norm";
    bool rotary = true;
    bool output_gate =
        false; // the query projection also gives a gate for each value that a head reads
    bool interleaved = false; // pairs (2i, 2i + 1) are rotated, instead of (i, i + half)
    const char* sinks_name = nullptr; // a score for each head that belongs to no position
};

struct MlpOptions {
    enum class Kind : std::uint8_t {
        Gated, // down(f(gate(x)) * up(x))
        FusedGated, // like Gated, with gate and up as halves of one gate_up_proj
        Plain, // second(f(first(x)))
    };
    Kind kind = Kind::Gated;
    bool bias = false;
    const char* gate = "gate_proj"; // names of the projections of a gated MLP
    const char* up = "up_proj";
    const char* down = "down_proj";
    const char* gate_up = "gate_up_proj"; // name if both are fused
    const char* first = "fc1"; // names of the projections of a plain MLP
    const char* second = "fc2";
    LinearLayout layout{};
};

// Tensor names of a mixture of experts, for layers that have one according to the config.
struct MoeNames {
    std::vector<std::string> prefixes{"mlp."}; // the first one that exists in the checkpoint
    std::string router = "gate";
    std::string experts = "experts.";
    std::string correction{}; // corrects the scores, only for choosing
    std::string shared = "shared_expert.";
    bool shared_of_layer = false; // its names follow the layer's prefix, not the one above
    bool shared_bias = false;
    std::string gate = "gate_proj";
    std::string up = "up_proj";
    std::string down = "down_proj";
    std::string gate_up{}; // name of both fused, in a shared expert; empty: they are separate
    bool gated = true; // false: down(f(up(x)))
    // All experts in one tensor [experts, out, in], with gate and up as one matrix.
    std::string stacked_gate_up = "experts.gate_up_proj";
    std::string stacked_down = "experts.down_proj";
    bool stacked_as_inputs = false; // [experts, in, out], rows of gate and up in turns (gpt-oss)
    bool bias = false; // whether router and experts have biases
    std::string shared_gate = "shared_expert_gate"; // empty: the shared expert has full weight
    std::string latent_in{}; // projections around experts that are narrower than the stream
    std::string latent_out{};
    bool scaled_router = false; // Gemma 4: a norm and a scale precede it, and experts have factors
};

struct TensorNames {
    struct Spelling {
        std::string model; // prefix of all names except the head's
        std::string head;
    };
    // Spellings of the names in files. The first one under which the checkpoint has the final norm
    // counts.
    std::vector<Spelling> spellings{{"model.", "lm_head"}};
    std::string embedding = "embed_tokens";
    std::string positions{}; // learned positions; empty: rotary ones
    std::string layers = "layers."; // prefix of a layer: "<layers><n>."
    std::string final_norm = "norm";
    // Names within a layer.
    std::string input_norm = "input_layernorm";
    std::string post_attention_norm = "post_attention_layernorm";
    std::string pre_feedforward_norm = "pre_feedforward_layernorm";
    std::string post_feedforward_norm = "post_feedforward_layernorm";
    std::string attention = "self_attn.";
    std::string mixer = "linear_attn."; // prefix of a mixer with a state
    std::string mlp = "mlp.";
};

enum class NormStyle : std::uint8_t {
    Rms,
    RmsPlusOne, // RMSNorm; the file contains the weight minus one
    Layer, // LayerNorm with a bias
    LayerWithoutBias,
};

enum class LayerOrder : std::uint8_t {
    Sequential, // h = x + attention(norm(x)), x = h + mlp(norm(h))
    Parallel, // x = x + attention(n) + mlp(n), n = norm(x)
    ParallelTwoNorms, // x = x + attention(norm(x)) + mlp(norm'(x))
    Sandwich, // h = x + norm(attention(norm(x))), x = h + norm(mlp(norm(h)))
    PostNorm, // h = x + norm(attention(x)), x = h + norm(mlp(h))
    OnePart, // x = x + part(norm(x)), where part is a mixer or a feed-forward network
};

struct FamilyShape {
    LayerOrder order = LayerOrder::Sequential;
    NormStyle norm = NormStyle::Rms;
    AttentionOptions attention{};
    MlpOptions mlp{};
    MoeNames moe{};
    TensorNames names{};
    bool head_bias = false;
    bool scaled_embedding = false; // multiplied by sqrt(hidden_size)
    bool layer_scalar = false; // a number multiplies the residual stream after each layer

    bool learnedPositions() const { return !names.positions.empty(); }
};

} // namespace ep::model
