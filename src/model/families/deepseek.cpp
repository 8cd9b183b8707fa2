// SPDX-License-Identifier: GPL-3.0-or-later
#include "config_parts.h"
#include "families/family.h"
#include "families/shared_keys.h"

#include <cmath>

namespace ep::model::families {
namespace {

constexpr int kMaxLatent = 1 << 16;

FamilyShape latentShape(const ModelConfig& config)
{
    return {.attention = {.qkv_bias = config.attention_bias,
                          .output_bias = config.attention_bias,
                          .interleaved = config.interleaved_rotation},
            .mlp = {.bias = config.mlp_bias},
            .moe = sharedExpertsBesideScores()};
}

FamilyShape deepseek2Shape(const ModelConfig& config)
{
    FamilyShape shape = latentShape(config);
    shape.moe.correction.clear();
    return shape;
}

// Reads sizes of latent attention. Scaled positions also scale the scores.
void readLatent(const json::Value& json, ModelConfig& config, const LatentAttention& usual)
{
    LatentAttention latent;
    const bool direct = json.contains("q_lora_rank") && !json.has("q_lora_rank");
    latent.query_rank = direct ? 0 : json.integer("q_lora_rank", usual.query_rank, 1, kMaxLatent);
    latent.rank = json.integer("kv_lora_rank", usual.rank, 1, kMaxLatent);
    latent.plain_dim = json.integer("qk_nope_head_dim", usual.plain_dim, 1, kMaxLatent);
    latent.rotary_dim = json.integer("qk_rope_head_dim", usual.rotary_dim, 2, kMaxLatent);
    latent.value_dim = json.integer("v_head_dim", usual.value_dim, 1, kMaxLatent);
    if (latent.rotary_dim % 2 != 0)
        json.fail("qk_rope_head_dim", "is odd");
    config.latent = latent;
    config.head_dim = latent.rotary_dim;
    config.num_key_value_heads = config.num_attention_heads;
    config.partial_rotary_factor = 1.0;
    config.interleaved_rotation = json.boolean("rope_interleave", true);
    const double magnitude = config.rope.scaling.score_factor;
    config.attention_scale = magnitude * magnitude / std::sqrt(latent.queries());
}

} // namespace

// DeepSeek V2 and V2 Lite: chooses experts by a softmax.
Family deepseekV2()
{
    return {.defaults = {.model_type = "deepseek_v2",
                         .max_position_embeddings = 2048,
                         .head_dim = 64,
                         .experts = 64,
                         .experts_per_token = 6,
                         .expert_intermediate_size = 1407,
                         .dense_layers_key = "first_k_dense_replace",
                         .position_keys = {"rope_interleave", "qk_rope_head_dim"}},
            .shape = deepseek2Shape,
            .readKeys =
                [](const json::Value& json, ModelConfig& config) {
                    readLatent(json, config, {1536, 512, 128, 64, 128});
                    readExpertGroups(json, config, 2, 1.0);
                    config.moe.corrected = false;
                    config.moe.normalise = false;
                    config.moe.groups_by_best = true;
                    if (json.string("topk_method", "greedy") == "greedy")
                        config.moe.groups = config.moe.chosen_groups = 1;
                },
            .gguf = {.architectures = {"deepseek2"}, .experts_sum_by_key = true}};
}

// DeepSeek V3 and R1: chooses experts in groups, by sigmoids with a correction.
Family deepseekV3()
{
    return {.defaults = {.model_type = "deepseek_v3",
                         .max_position_embeddings = 4096,
                         .head_dim = 64,
                         .experts = 256,
                         .experts_per_token = 8,
                         .expert_intermediate_size = 2048,
                         .dense_layers_key = "first_k_dense_replace",
                         .dense_layers = 3,
                         .position_keys = {"rope_interleave", "qk_rope_head_dim"}},
            .shape = latentShape,
            .readKeys =
                [](const json::Value& json, ModelConfig& config) {
                    readLatent(json, config, {1536, 512, 128, 64, 128});
                    readCorrectedScores(json, config, 1, 2.5);
                },
            .gguf = {.architectures = {"deepseek2"},
                     .matches = choosesBySigmoids,
                     .experts_sum_by_key = true}};
}

// GLM-4.7 Flash.
Family glm4MoeLite()
{
    return {.defaults = {.model_type = "glm4_moe_lite",
                         .max_position_embeddings = 202752,
                         .head_dim = 64,
                         .rms_norm_eps = 1e-5,
                         .experts = 64,
                         .experts_per_token = 4,
                         .expert_intermediate_size = 1536,
                         .dense_layers_key = "first_k_dense_replace",
                         .dense_layers = 1,
                         .position_keys = {"rope_interleave", "qk_rope_head_dim"}},
            .shape = latentShape,
            .readKeys = [](const json::Value& json, ModelConfig& config) {
                readLatent(json, config, {768, 512, 192, 64, 256});
                readCorrectedScores(json, config, 1, 1.8);
            }};
}

} // namespace ep::model::families
