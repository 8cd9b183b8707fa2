// SPDX-License-Identifier: GPL-3.0-or-later
#include "family_variants.h"

#include <string>

namespace ep::test {

namespace {

using Json = nlohmann::json;

constexpr const char* kLlama = "LlamaForCausalLM";
constexpr const char* kMistral = "MistralForCausalLM";
constexpr const char* kMixtral = "MixtralForCausalLM";
constexpr const char* kQwen2 = "Qwen2ForCausalLM";
constexpr const char* kQwen2Moe = "Qwen2MoeForCausalLM";
constexpr const char* kQwen3 = "Qwen3ForCausalLM";
constexpr const char* kQwen3Moe = "Qwen3MoeForCausalLM";
constexpr const char* kQwen3_5 = "Qwen3_5ForCausalLM";
constexpr const char* kQwen3_5Moe = "Qwen3_5MoeForCausalLM";
constexpr const char* kQwen3Next = "Qwen3NextForCausalLM";
constexpr const char* kLfm2 = "Lfm2ForCausalLM";
constexpr const char* kLfm2Moe = "Lfm2MoeForCausalLM";
constexpr const char* kFalconH1 = "FalconH1ForCausalLM";
constexpr const char* kPhi = "PhiForCausalLM";
constexpr const char* kPhi3 = "Phi3ForCausalLM";
constexpr const char* kGemma = "GemmaForCausalLM";
constexpr const char* kGemma2 = "Gemma2ForCausalLM";
constexpr const char* kGemma3 = "Gemma3ForCausalLM";
constexpr const char* kStableLm = "StableLmForCausalLM";
constexpr const char* kStarcoder2 = "Starcoder2ForCausalLM";
constexpr const char* kGpt2 = "GPT2LMHeadModel";
constexpr const char* kNeoX = "GPTNeoXForCausalLM";

const std::vector<Variant> kVariants{
    {"llama", kLlama, "llama", "{}"},
    {"llama_tied_biases", kLlama, "llama",
     R"({"tie_word_embeddings": true, "attention_bias": true, "mlp_bias": true})"},
    {"llama_head_dim_one_kv_head", kLlama, "llama",
     R"({"head_dim": 12, "num_key_value_heads": 1, "hidden_act": "gelu"})"},
    {"llama_linear", kLlama, "llama", R"({"rope_scaling": {"type": "linear", "factor": 2.5}})"},
    {"llama_llama3", kLlama, "llama",
     R"({"rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
         "high_freq_factor": 4.0, "original_max_position_embeddings": 32}})"},
    {"llama_dynamic_within", kLlama, "llama",
     R"({"rope_scaling": {"type": "dynamic", "factor": 2.0}})"},
    {"llama_dynamic_beyond", kLlama, "llama",
     R"({"max_position_embeddings": 16, "rope_scaling": {"type": "dynamic", "factor": 3.0}})"},
    {"llama_yarn", kLlama, "llama",
     R"({"head_dim": 16, "rope_theta": 5000.0, "rope_scaling": {"rope_type": "yarn", "factor": 4.0,
         "original_max_position_embeddings": 16}})"},
    {"llama_yarn_all_keys", kLlama, "llama",
     R"({"head_dim": 16, "rope_scaling": {"rope_type": "yarn", "factor": 8.0, "beta_fast": 4.0,
         "beta_slow": 0.5, "mscale": 0.7, "mscale_all_dim": 1.3, "truncate": false,
         "original_max_position_embeddings": 8}})"},
    {"llama_yarn_attention_factor", kLlama, "llama",
     R"({"rope_scaling": {"type": "yarn", "factor": 2.0, "attention_factor": 0.8}})"},
    {"smollm3_all_rotated", "SmolLM3ForCausalLM", "smollm3",
     R"({"no_rope_layers": [1, 1, 1], "tie_word_embeddings": false})"},
    {"granite_usual_factors", "GraniteForCausalLM", "granite",
     R"({"attention_multiplier": 0.35355339059327373})"},
    {"arcee", "ArceeForCausalLM", "arcee", "{}"},
    {"arcee_biases_tied", "ArceeForCausalLM", "arcee",
     R"({"attention_bias": true, "mlp_bias": true, "tie_word_embeddings": true, "head_dim": 10})"},
    {"seed_oss_no_bias", "SeedOssForCausalLM", "seed_oss",
     R"({"attention_bias": false, "head_dim": 8})"},
    {"ministral3", "Ministral3ForCausalLM", "ministral3", R"({"head_dim": 12})"},
    {"mistral_window", kMistral, "mistral", R"({"sliding_window": 7, "head_dim": 10})"},
    {"mistral_window_null", kMistral, "mistral", R"({"sliding_window": null})"},
    {"mixtral", kMixtral, "mixtral", R"({"num_local_experts": 5, "num_experts_per_tok": 2})"},
    {"mixtral_window_default_theta", kMixtral, "mixtral",
     R"({"num_local_experts": 3, "num_experts_per_tok": 1, "sliding_window": 6,
         "rope_theta": "absent"})"},
    {"qwen2", kQwen2, "qwen2", R"({"tie_word_embeddings": true})"},
    {"qwen2_window", kQwen2, "qwen2",
     R"({"use_sliding_window": true, "sliding_window": 5, "max_window_layers": 1})"},
    {"qwen2_layer_types", kQwen2, "qwen2",
     R"({"use_sliding_window": true, "sliding_window": 5,
         "layer_types": ["sliding_attention", "full_attention", "sliding_attention"]})"},
    {"qwen2_moe", kQwen2Moe, "qwen2_moe",
     R"({"num_experts": 6, "num_experts_per_tok": 3, "moe_intermediate_size": 20,
         "shared_expert_intermediate_size": 28, "num_key_value_heads": 4})"},
    {"qwen2_moe_sparse_step", kQwen2Moe, "qwen2_moe",
     R"({"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 20,
         "shared_expert_intermediate_size": 28, "decoder_sparse_step": 2, "norm_topk_prob": true,
         "qkv_bias": false})"},
    {"qwen3", kQwen3, "qwen3", R"({"head_dim": 12})"},
    {"qwen3_bias_tied", kQwen3, "qwen3",
     R"({"head_dim": 8, "attention_bias": true, "tie_word_embeddings": true})"},
    {"qwen3_moe", kQwen3Moe, "qwen3_moe",
     R"({"head_dim": 8, "num_experts": 5, "num_experts_per_tok": 2, "moe_intermediate_size": 24,
         "mlp_only_layers": [1]})"},
    {"qwen3_moe_normalised", kQwen3Moe, "qwen3_moe",
     R"({"head_dim": 8, "num_experts": 8, "num_experts_per_tok": 3, "moe_intermediate_size": 24,
         "norm_topk_prob": true})"},
    {"qwen3_5", kQwen3_5, "qwen3_5_text",
     R"({"head_dim": 16, "linear_num_key_heads": 2, "linear_num_value_heads": 4,
         "linear_key_head_dim": 8, "linear_value_head_dim": 12, "linear_conv_kernel_dim": 4,
         "layer_types": ["linear_attention", "full_attention", "linear_attention"]})"},
    {"qwen3_5_odd", kQwen3_5, "qwen3_5_text",
     R"({"head_dim": 16, "linear_num_key_heads": 3, "linear_num_value_heads": 9,
         "linear_key_head_dim": 5, "linear_value_head_dim": 19, "linear_conv_kernel_dim": 2,
         "tie_word_embeddings": true, "attention_bias": true, "partial_rotary_factor": 0.5,
         "layer_types": ["full_attention", "linear_attention", "linear_attention"]})"},
    {"qwen3_5_moe", kQwen3_5Moe, "qwen3_5_moe_text",
     R"({"head_dim": 16, "linear_num_key_heads": 2, "linear_num_value_heads": 2,
         "linear_key_head_dim": 8, "linear_value_head_dim": 8, "linear_conv_kernel_dim": 3,
         "num_experts": 5, "num_experts_per_tok": 2, "moe_intermediate_size": 20,
         "shared_expert_intermediate_size": 12, "intermediate_size": "absent",
         "layer_types": ["linear_attention", "linear_attention", "full_attention"]})"},
    {"qwen3_next", kQwen3Next, "qwen3_next",
     R"({"head_dim": 8, "linear_num_key_heads": 2, "linear_num_value_heads": 6,
         "linear_key_head_dim": 8, "linear_value_head_dim": 4, "linear_conv_kernel_dim": 4,
         "num_experts": 6, "num_experts_per_tok": 3, "moe_intermediate_size": 16,
         "shared_expert_intermediate_size": 24, "mlp_only_layers": [1],
         "layer_types": ["linear_attention", "linear_attention", "full_attention"]})"},
    {"lfm2", kLfm2, "lfm2",
     R"({"conv_L_cache": 3, "norm_eps": 1e-4, "block_auto_adjust_ff_dim": false,
         "layer_types": ["conv", "full_attention", "conv"]})"},
    {"lfm2_biases_untied", kLfm2, "lfm2",
     R"({"conv_L_cache": 5, "conv_bias": true, "block_auto_adjust_ff_dim": false,
         "tie_word_embeddings": false, "rope_theta": "absent",
         "layer_types": ["conv", "conv", "full_attention"]})"},
    {"lfm2_moe", kLfm2Moe, "lfm2_moe",
     R"({"conv_L_cache": 3, "num_experts": 6, "num_experts_per_tok": 2, "num_dense_layers": 1,
         "moe_intermediate_size": 20, "routed_scaling_factor": 1.5,
         "layer_types": ["conv", "full_attention", "conv"]})"},
    {"lfm2_moe_uncorrected", kLfm2Moe, "lfm2_moe",
     R"({"conv_L_cache": 4, "num_experts": 4, "num_experts_per_tok": 3, "num_dense_layers": 0,
         "moe_intermediate_size": 20, "use_expert_bias": false, "norm_topk_prob": false,
         "layer_types": ["full_attention", "conv", "conv"]})"},
    {"falcon_h1", kFalconH1, "falcon_h1",
     R"({"mamba_d_ssm": 24, "mamba_n_heads": 4, "mamba_d_head": 6, "mamba_d_state": 10,
         "mamba_n_groups": 2, "mamba_d_conv": 4, "mamba_rms_norm": true,
         "mamba_norm_before_gate": false, "embedding_multiplier": 1.7, "lm_head_multiplier": 0.6,
         "attention_in_multiplier": 1.3, "attention_out_multiplier": 0.8, "key_multiplier": 0.7,
         "ssm_in_multiplier": 1.2, "ssm_out_multiplier": 0.9, "mlp_multipliers": [0.8, 1.1],
         "ssm_multipliers": [0.7, 0.6, 0.8, 1.2, 0.9]})"},
    {"falcon_h1_plain", kFalconH1, "falcon_h1",
     R"({"mamba_d_ssm": 32, "mamba_n_heads": 2, "mamba_d_head": 16, "mamba_d_state": 5,
         "mamba_d_conv": 2, "mamba_conv_bias": false, "mamba_proj_bias": true,
         "ssm_in_multiplier": 1.2, "attention_in_multiplier": 0.9,
         "projectors_bias": true, "attention_bias": true, "mlp_bias": true,
         "time_step_limit": [0.2, 1.5]})"},
    {"falcon_h1_norm_first", kFalconH1, "falcon_h1",
     R"({"mamba_d_ssm": 24, "mamba_n_heads": 4, "mamba_d_head": 6, "mamba_d_state": 10,
         "mamba_n_groups": 4, "mamba_d_conv": 3, "mamba_rms_norm": true,
         "tie_word_embeddings": true})"},
    {"olmo2", "Olmo2ForCausalLM", "olmo2", R"({"tie_word_embeddings": false})"},
    {"olmo2_biases_tied", "Olmo2ForCausalLM", "olmo2",
     R"({"attention_bias": true, "tie_word_embeddings": true, "num_key_value_heads": 1,
         "rope_scaling": {"rope_type": "linear", "factor": 2.5}})"},
    {"olmo3", "Olmo3ForCausalLM", "olmo3",
     R"({"tie_word_embeddings": false, "sliding_window": 5, "rope_scaling": {"rope_type": "yarn",
         "factor": 4.0, "original_max_position_embeddings": 16}, "layer_types":
         ["sliding_attention", "full_attention", "sliding_attention"]})"},
    {"exaone4", "Exaone4ForCausalLM", "exaone4",
     R"({"tie_word_embeddings": false, "sliding_window": 6, "head_dim": 12, "layer_types":
         ["sliding_attention", "sliding_attention", "full_attention"]})"},
    {"exaone4_no_window", "Exaone4ForCausalLM", "exaone4",
     R"({"tie_word_embeddings": true, "sliding_window": null, "num_key_value_heads": 1,
         "layer_types": ["full_attention", "full_attention", "full_attention"]})"},
    {"glm4", "Glm4ForCausalLM", "glm4",
     R"({"tie_word_embeddings": false, "attention_bias": true, "head_dim": 12})"},
    {"glm4_all_rotated", "Glm4ForCausalLM", "glm4",
     R"({"tie_word_embeddings": true, "partial_rotary_factor": 1.0, "num_key_value_heads": 1,
         "head_dim": 8, "attention_bias": false})"},
    {"ernie4_5", "Ernie4_5ForCausalLM", "ernie4_5",
     R"({"tie_word_embeddings": true, "head_dim": 8})"},
    {"ernie4_5_biases", "Ernie4_5_ForCausalLM", "ernie4_5",
     R"({"tie_word_embeddings": false, "use_bias": true, "head_dim": 12})"},
    {"hunyuan", "HunYuanDenseV1ForCausalLM", "hunyuan_v1_dense",
     R"({"tie_word_embeddings": true, "head_dim": 12})"},
    {"hunyuan_biases", "HunYuanDenseV1ForCausalLM", "hunyuan_v1_dense",
     R"({"tie_word_embeddings": false, "attention_bias": true, "num_key_value_heads": 1})"},
    {"cohere2", "Cohere2ForCausalLM", "cohere2",
     R"({"tie_word_embeddings": true, "sliding_window": 6, "logit_scale": 0.25,
         "layer_norm_eps": 1e-4, "layer_types":
         ["sliding_attention", "sliding_attention", "full_attention"]})"},
    {"cohere2_biases_untied", "Cohere2ForCausalLM", "cohere2",
     R"({"tie_word_embeddings": false, "sliding_window": 4, "attention_bias": true,
         "layer_types": ["full_attention", "sliding_attention", "sliding_attention"]})"},
    {"olmoe", "OlmoeForCausalLM", "olmoe",
     R"({"tie_word_embeddings": false, "num_experts": 6, "num_experts_per_tok": 2})"},
    {"olmoe_clipped", "OlmoeForCausalLM", "olmoe",
     R"({"tie_word_embeddings": true, "num_experts": 5, "num_experts_per_tok": 3,
         "norm_topk_prob": true, "clip_qkv": 0.9, "attention_bias": true})"},
    {"glm4_moe", "Glm4MoeForCausalLM", "glm4_moe",
     R"({"tie_word_embeddings": false, "head_dim": 12, "use_qk_norm": true, "attention_bias": true,
         "n_routed_experts": 6, "num_experts_per_tok": 2, "moe_intermediate_size": 20,
         "n_shared_experts": 1, "n_group": 1, "topk_group": 1, "first_k_dense_replace": 1,
         "norm_topk_prob": true, "routed_scaling_factor": 1.5})"},
    {"glm4_moe_without_norms", "Glm4MoeForCausalLM", "glm4_moe",
     R"({"tie_word_embeddings": true, "use_qk_norm": false, "n_routed_experts": 5,
         "num_experts_per_tok": 3, "moe_intermediate_size": 16, "n_shared_experts": 2,
         "n_group": 1, "topk_group": 1, "first_k_dense_replace": 2, "norm_topk_prob": false,
         "routed_scaling_factor": 2.0, "partial_rotary_factor": 1.0})"},
    {"deepseek_v2", "DeepseekV2ForCausalLM", "deepseek_v2",
     R"({"tie_word_embeddings": false, "num_key_value_heads": 4, "q_lora_rank": null,
         "kv_lora_rank": 12, "qk_nope_head_dim": 10, "qk_rope_head_dim": 6, "v_head_dim": 8,
         "n_routed_experts": 6, "num_experts_per_tok": 2, "moe_intermediate_size": 20,
         "n_shared_experts": 1, "first_k_dense_replace": 1, "routed_scaling_factor": 1.5})"},
    {"deepseek_v2_groups", "DeepseekV2ForCausalLM", "deepseek_v2",
     R"({"tie_word_embeddings": true, "num_key_value_heads": 4, "q_lora_rank": 14,
         "kv_lora_rank": 12, "qk_nope_head_dim": 6, "qk_rope_head_dim": 8, "v_head_dim": 10,
         "attention_bias": true, "n_routed_experts": 6, "num_experts_per_tok": 2,
         "topk_method": "group_limited_greedy", "n_group": 3, "topk_group": 1,
         "moe_intermediate_size": 16, "n_shared_experts": 2, "first_k_dense_replace": 2})"},
    {"deepseek_v3", "DeepseekV3ForCausalLM", "deepseek_v3",
     R"({"tie_word_embeddings": false, "num_key_value_heads": 4, "q_lora_rank": 14,
         "kv_lora_rank": 12, "qk_nope_head_dim": 10, "qk_rope_head_dim": 6, "v_head_dim": 8,
         "n_routed_experts": 8, "num_experts_per_tok": 3, "n_group": 4, "topk_group": 2,
         "moe_intermediate_size": 20, "n_shared_experts": 1, "first_k_dense_replace": 1,
         "norm_topk_prob": true, "routed_scaling_factor": 2.5})"},
    {"deepseek_v3_biases_tied", "DeepseekV3ForCausalLM", "deepseek_v3",
     R"({"tie_word_embeddings": true, "num_key_value_heads": 4, "q_lora_rank": null,
         "kv_lora_rank": 20, "qk_nope_head_dim": 6, "qk_rope_head_dim": 4, "v_head_dim": 12,
         "attention_bias": true, "n_routed_experts": 5, "num_experts_per_tok": 2, "n_group": 1,
         "topk_group": 1, "moe_intermediate_size": 12, "n_shared_experts": 2,
         "first_k_dense_replace": 0, "norm_topk_prob": false, "routed_scaling_factor": 1.0})"},
    {"glm4_moe_lite", "Glm4MoeLiteForCausalLM", "glm4_moe_lite",
     R"({"tie_word_embeddings": false, "num_key_value_heads": 4, "q_lora_rank": 10,
         "kv_lora_rank": 12, "qk_nope_head_dim": 12, "qk_rope_head_dim": 4, "v_head_dim": 10,
         "n_routed_experts": 6, "num_experts_per_tok": 2, "n_group": 1, "topk_group": 1,
         "moe_intermediate_size": 20, "n_shared_experts": 1, "first_k_dense_replace": 1,
         "norm_topk_prob": true, "routed_scaling_factor": 1.8})"},
    {"phimoe", "PhimoeForCausalLM", "phimoe",
     R"({"tie_word_embeddings": false, "sliding_window": null, "attention_bias": true,
         "lm_head_bias": true, "num_local_experts": 6, "num_experts_per_tok": 2,
         "router_jitter_noise": 0.3})"},
    {"phimoe_plain", "PhiMoEForCausalLM", "phimoe",
     R"({"tie_word_embeddings": true, "sliding_window": null, "attention_bias": false,
         "num_local_experts": 4, "num_experts_per_tok": 2})"},
    {"minimax_m2", "MiniMaxM2ForCausalLM", "minimax_m2",
     R"({"tie_word_embeddings": false, "head_dim": 8, "partial_rotary_factor": 0.5,
         "num_local_experts": 6, "num_experts_per_tok": 2})"},
    {"granitemoe", "GraniteMoeForCausalLM", "granitemoe",
     R"({"tie_word_embeddings": false, "num_local_experts": 5, "num_experts_per_tok": 2,
         "embedding_multiplier": 3.0, "logits_scaling": 4.0, "residual_multiplier": 0.5,
         "attention_multiplier": 0.2})"},
    {"granitemoe_biases_tied", "GraniteMoeForCausalLM", "granitemoe",
     R"({"tie_word_embeddings": true, "num_local_experts": 3, "num_experts_per_tok": 3,
         "attention_bias": true, "attention_multiplier": 0.35})"},
    {"phi", kPhi, "phi",
     R"({"num_key_value_heads": 4, "partial_rotary_factor": 0.5, "hidden_act": "gelu_new"})"},
    {"phi_qk_layernorm", kPhi, "phi", R"({"qk_layernorm": true, "layer_norm_eps": 1e-4})"},
    {"phi_tied", kPhi, "phi", R"({"tie_word_embeddings": true})"},
    {"phi3", kPhi3, "phi3", R"({"sliding_window": 9})"},
    {"phi3_partial_longrope_short", kPhi3, "phi3",
     R"({"head_dim": 16, "partial_rotary_factor": 0.75, "original_max_position_embeddings": 24,
         "rope_scaling": {"type": "longrope", "short_factor": [1.0, 1.1, 1.3, 1.5, 2.0, 2.5],
         "long_factor": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]}})"},
    {"phi3_longrope_long", kPhi3, "phi3",
     R"({"original_max_position_embeddings": 10, "tie_word_embeddings": true,
         "rope_scaling": {"type": "su", "short_factor": [1.0, 1.1, 1.3, 1.5],
         "long_factor": [1.0, 2.0, 3.0, 4.0]}})"},
    {"phi3_longrope_attention_factor", kPhi3, "phi3",
     R"({"original_max_position_embeddings": 10,
         "rope_scaling": {"type": "yarn", "attention_factor": 1.2,
         "short_factor": [1.0, 1.1, 1.3, 1.5], "long_factor": [1.0, 2.0, 3.0, 4.0]}})"},
    {"gemma", kGemma, "gemma", R"({"head_dim": 12, "num_key_value_heads": 1})"},
    {"gemma2", kGemma2, "gemma2",
     R"({"head_dim": 8, "sliding_window": 6, "attn_logit_softcapping": 4.0,
         "final_logit_softcapping": 6.0, "query_pre_attn_scalar": 20})"},
    {"gemma2_defaults", kGemma2, "gemma2", R"({"head_dim": 8, "hidden_activation": "gelu"})"},
    {"gemma2_uncapped", kGemma2, "gemma2",
     R"({"head_dim": 8, "sliding_window": 4, "attn_logit_softcapping": null,
         "final_logit_softcapping": null, "layer_types":
         ["full_attention", "sliding_attention", "sliding_attention"]})"},
    {"gemma3", kGemma3, "gemma3_text",
     R"({"head_dim": 12, "sliding_window": 5, "sliding_window_pattern": 3,
         "rope_local_base_freq": 30.0, "query_pre_attn_scalar": 12,
         "rope_scaling": {"rope_type": "linear", "factor": 4.0}})"},
    {"gemma3_defaults", kGemma3, "gemma3_text", R"({"head_dim": 8, "rope_theta": "absent"})"},
    {"stablelm", kStableLm, "stablelm", "{}"},
    {"stablelm_parallel", kStableLm, "stablelm",
     R"({"use_parallel_residual": true, "use_qkv_bias": true, "partial_rotary_factor": 0.5})"},
    {"stablelm_head_norms", kStableLm, "stablelm", R"({"qk_layernorm": true, "head_dim": 8})"},
    {"starcoder2", kStarcoder2, "starcoder2", "{}"},
    {"starcoder2_window_untied_no_biases", kStarcoder2, "starcoder2",
     R"({"sliding_window": 6, "use_bias": false, "tie_word_embeddings": false,
         "norm_epsilon": 1e-3, "num_key_value_heads": 1, "hidden_act": "gelu"})"},
    {"gpt2", kGpt2, "gpt2", "{}"},
    {"gpt2_options", kGpt2, "gpt2",
     R"({"n_inner": 50, "activation_function": "gelu", "scale_attn_weights": false,
         "scale_attn_by_inverse_layer_idx": true, "tie_word_embeddings": false})"},
    {"gpt_neox", kNeoX, "gpt_neox",
     R"({"num_key_value_heads": "absent", "rotary_pct": 0.5, "rotary_emb_base": 300})"},
    {"gpt_neox_sequential", kNeoX, "gpt_neox",
     R"({"num_key_value_heads": "absent", "use_parallel_residual": false, "hidden_act": "relu",
         "attention_bias": false})"},
};

} // namespace

std::ostream& operator<<(std::ostream& out, const Variant& variant)
{
    return out << variant.name;
}

Json baseConfig(const Variant& variant)
{
    Json config = Json::parse(variant.type == std::string("gpt2") ? R"({"n_embd": 32, "n_head": 4,
        "n_layer": 3, "n_positions": 40, "n_inner": null, "vocab_size": 61})"
                                                                  : R"({"hidden_size": 32,
        "intermediate_size": 44, "num_hidden_layers": 3, "num_attention_heads": 4,
        "num_key_value_heads": 2, "vocab_size": 61, "max_position_embeddings": 64,
        "rope_theta": 200.0, "rms_norm_eps": 1e-5})");
    config["architectures"] = {variant.architecture};
    config["model_type"] = variant.type;
    const Json options = Json::parse(variant.options);
    for (const auto& [key, value] : options.items()) {
        if (value == "absent")
            config.erase(key);
        else
            config[key] = value;
    }
    return config;
}

const std::vector<Variant>& familyVariants()
{
    return kVariants;
}

} // namespace ep::test
