// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"
#include "families/shared_keys.h"

namespace ep::model::families {
namespace {

FamilyShape glm4MoeShape(const ModelConfig& config)
{
    return {.attention = {.qkv_bias = config.attention_bias,
                          .head_norm = config.qk_layernorm ? AttentionOptions::HeadNorm::Rms
                                                           : AttentionOptions::HeadNorm::None},
            .moe = sharedExpertsBesideScores()};
}

} // namespace

// GLM-4.5 to 4.7: rotates half of each head, and chooses experts by corrected sigmoids.
Family glm4Moe()
{
    return {.defaults = {.model_type = "glm4_moe",
                         .max_position_embeddings = 131072,
                         .kv_heads = 8,
                         .rms_norm_eps = 1e-5,
                         .partial_rotary_factor = 0.5,
                         .experts = 128,
                         .experts_per_token = 8,
                         .expert_intermediate_size = 1408,
                         .dense_layers_key = "first_k_dense_replace",
                         .dense_layers = 1},
            .shape = glm4MoeShape,
            .readKeys =
                [](const json::Value& json, ModelConfig& config) {
                    config.qk_layernorm = json.boolean("use_qk_norm", false);
                    readCorrectedScores(json, config, 1, 1.0);
                },
            .gguf = {.architectures = {"glm4moe"}, .experts_sum_by_key = true}};
}

} // namespace ep::model::families
