// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

// The structure of the newer families, for their random weights and their arithmetic.
namespace ep::test {

enum class Norms { Before, After, Both, Parallel };
enum class HeadNorms { None, Each, EachTurned, All };
enum class Router { None, Softmax, SoftmaxOfChosen, Sigmoid, SparseMixer };

// How the family's module in transformers computes.
struct Newer {
    const char* type;
    Norms norms = Norms::Before;
    HeadNorms head_norms = HeadNorms::None;
    bool interleaved = false; // elements 2i and 2i + 1 are rotated together
    double rotated = 1.0; // rotated share of a head, unless the config says otherwise
    bool all_biased = false; // attention_bias also applies to the output
    bool fused_gate = false; // gate_up_proj
    Router router = Router::None;
    bool shared = false; // n_routed_experts, plus shared ones with weight 1
    bool latent = false; // keys and values come from a narrower vector
    const char* experts = "mlp."; // prefix of its tensor names
};
inline constexpr std::array<Newer, 15> kNewer{
    {{.type = "olmo2", .norms = Norms::After, .head_norms = HeadNorms::All, .all_biased = true},
     {.type = "olmo3", .norms = Norms::After, .head_norms = HeadNorms::All, .all_biased = true},
     {.type = "exaone4", .norms = Norms::After, .head_norms = HeadNorms::Each},
     {.type = "glm4",
      .norms = Norms::Both,
      .interleaved = true,
      .rotated = 0.5,
      .fused_gate = true},
     {.type = "ernie4_5", .interleaved = true, .all_biased = true},
     {.type = "hunyuan_v1_dense", .head_norms = HeadNorms::EachTurned, .all_biased = true},
     {.type = "cohere2", .norms = Norms::Parallel, .interleaved = true, .all_biased = true},
     {.type = "olmoe", .head_norms = HeadNorms::All, .all_biased = true, .router = Router::Softmax},
     {.type = "glm4_moe", .rotated = 0.5, .router = Router::Sigmoid, .shared = true},
     {.type = "deepseek_v2",
      .interleaved = true,
      .all_biased = true,
      .router = Router::Softmax,
      .shared = true,
      .latent = true},
     {.type = "deepseek_v3",
      .interleaved = true,
      .all_biased = true,
      .router = Router::Sigmoid,
      .shared = true,
      .latent = true},
     {.type = "glm4_moe_lite",
      .interleaved = true,
      .all_biased = true,
      .router = Router::Sigmoid,
      .shared = true,
      .latent = true},
     {.type = "minimax_m2",
      .head_norms = HeadNorms::All,
      .router = Router::Sigmoid,
      .experts = "block_sparse_moe."},
     {.type = "phimoe",
      .all_biased = true,
      .router = Router::SparseMixer,
      .experts = "block_sparse_moe."},
     {.type = "granitemoe",
      .all_biased = true,
      .router = Router::SoftmaxOfChosen,
      .experts = "block_sparse_moe."}}};

inline const Newer* newerOf(const std::string& type)
{
    const auto* const found = std::find_if(kNewer.begin(), kNewer.end(),
                                           [&](const Newer& row) { return row.type == type; });
    return found == kNewer.end() ? nullptr : found;
}

// Sizes and options from a config, for the weights and the arithmetic.
struct Sizes {
    explicit Sizes(const nlohmann::json& json)
        : config(json)
        , family(*newerOf(json["model_type"]))
        , type(family.type)
        , hidden(json["hidden_size"])
        , heads(json["num_attention_heads"])
        , kv_heads(json["num_key_value_heads"])
        , dim(json.value(family.latent ? "qk_rope_head_dim" : "head_dim", hidden / heads))
        , layers(json["num_hidden_layers"])
    {
    }
    bool flag(const char* key, bool otherwise = false) const
    {
        return config.value(key, otherwise);
    }
    bool tied() const
    {
        return flag("tie_word_embeddings",
                    type == "cohere2" || type == "hunyuan_v1_dense" || type == "ernie4_5");
    }
    bool numberedExperts() const { return type == "minimax_m2" || type == "phimoe"; } // w1, w2, w3
    bool biased() const { return flag(type == "ernie4_5" ? "use_bias" : "attention_bias"); }
    HeadNorms headNorms() const
    {
        return type == "glm4_moe" && flag("use_qk_norm") ? HeadNorms::Each : family.head_norms;
    }
    std::string headNorm(char which) const
    {
        const bool query = which == 'q';
        if (type == "hunyuan_v1_dense")
            return query ? "query_layernorm" : "key_layernorm";
        return query ? "q_norm" : "k_norm";
    }
    std::vector<std::string> layerNorms() const
    {
        switch (family.norms) {
        case Norms::Before:
            return {"input_layernorm", "post_attention_layernorm"};
        case Norms::After:
            return {"post_attention_layernorm", "post_feedforward_layernorm"};
        case Norms::Both:
            return {"input_layernorm", "post_self_attn_layernorm", "post_attention_layernorm",
                    "post_mlp_layernorm"};
        case Norms::Parallel:
            break;
        }
        return {"input_layernorm"};
    }
    bool sparse(int layer) const
    {
        return family.router != Router::None
            && layer >= config.value("first_k_dense_replace", family.shared ? 1 : 0);
    }
    int expertCount() const
    {
        return config[family.shared         ? "n_routed_experts"
                          : type == "olmoe" ? "num_experts"
                                            : "num_local_experts"];
    }
    int expertWidth() const
    {
        return config[family.shared ? "moe_intermediate_size" : "intermediate_size"];
    }

    const nlohmann::json& config;
    const Newer& family;
    std::string type;
    int hidden;
    int heads;
    int kv_heads;
    int dim;
    int layers;
};

} // namespace ep::test
