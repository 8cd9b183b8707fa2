// SPDX-License-Identifier: GPL-3.0-or-later
#include "config_defaults.h"

#include <array>

namespace ep::model {
namespace {

constexpr std::array<ConfigDefaults, 15> kDefaults{{
    {.model_type = "llama"},
    {.model_type = "mistral",
     .max_position_embeddings = 131072,
     .kv_heads = 8,
     .window_rule = WindowRule::All,
     .sliding_window = 4096},
    {.model_type = "mixtral",
     .max_position_embeddings = 131072,
     .kv_heads = 8,
     .rms_norm_eps = 1e-5,
     .rope_theta = 1e6,
     .window_rule = WindowRule::All,
     .experts = 8,
     .experts_per_token = 2,
     .normalise_experts = true},
    {.model_type = "qwen2",
     .max_position_embeddings = 32768,
     .kv_heads = 32,
     .window_rule = WindowRule::FromLayer,
     .sliding_window = 4096,
     .attention_bias = true},
    {.model_type = "qwen2_moe",
     .max_position_embeddings = 32768,
     .kv_heads = 16,
     .window_rule = WindowRule::Optional,
     .sliding_window = 4096,
     .attention_bias = true,
     .experts = 60,
     .experts_per_token = 4,
     .expert_intermediate_size = 1408,
     .shared_intermediate_size = 5632},
    {.model_type = "qwen3",
     .max_position_embeddings = 32768,
     .kv_heads = 32,
     .head_dim = 128,
     .window_rule = WindowRule::FromLayer,
     .sliding_window = 4096},
    {.model_type = "qwen3_moe",
     .max_position_embeddings = 32768,
     .kv_heads = 4,
     .window_rule = WindowRule::Optional,
     .sliding_window = 4096,
     .experts = 128,
     .experts_per_token = 8,
     .expert_intermediate_size = 768},
    {.model_type = "phi",
     .partial_rotary_factor = 0.5,
     .hidden_act = "gelu_new",
     .attention_bias = true},
    {.model_type = "phi3",
     .max_position_embeddings = 4096,
     .rms_norm_eps = 1e-5,
     .window_rule = WindowRule::All,
     .original_max_position_embeddings = 4096},
    {.model_type = "gemma",
     .max_position_embeddings = 8192,
     .kv_heads = 16,
     .head_dim = 256,
     .hidden_act = "gelu_pytorch_tanh",
     .tied = true},
    {.model_type = "gemma2",
     .max_position_embeddings = 8192,
     .kv_heads = 4,
     .head_dim = 256,
     .window_rule = WindowRule::Alternating,
     .sliding_window = 4096,
     .hidden_act = "gelu_pytorch_tanh",
     .tied = true,
     .query_pre_attn_scalar = 256.0,
     .attn_logit_softcapping = 50.0,
     .final_logit_softcapping = 30.0},
    {.model_type = "gemma3_text",
     .max_position_embeddings = 131072,
     .kv_heads = 4,
     .head_dim = 256,
     .rope_theta = 1e6,
     .window_rule = WindowRule::Pattern,
     .sliding_window = 4096,
     .hidden_act = "gelu_pytorch_tanh",
     .tied = true,
     .query_pre_attn_scalar = 256.0,
     .hidden_size = 2304,
     .intermediate_size = 9216,
     .layers = 26,
     .heads = 8,
     .vocabulary = 262208},
    {.model_type = "stablelm",
     .max_position_embeddings = 4096,
     .kv_heads = 32,
     .partial_rotary_factor = 0.25},
    {.model_type = "gpt2",
     .max_position_embeddings = 1024,
     .hidden_act = "gelu_new",
     .attention_bias = true,
     .tied = true},
    {.model_type = "gpt_neox",
     .partial_rotary_factor = 0.25,
     .hidden_act = "gelu",
     .attention_bias = true,
     .parallel_residual = true},
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
