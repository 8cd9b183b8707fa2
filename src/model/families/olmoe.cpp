// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"

#include "ep/json/value.h"

namespace ep::model::families {
namespace {

FamilyShape olmoeShape(const ModelConfig& config)
{
    return {.attention = {.qkv_bias = config.attention_bias,
                          .output_bias = config.attention_bias,
                          .head_norm = AttentionOptions::HeadNorm::RmsOfAllHeads}};
}

} // namespace

// Like Llama, with experts, and all heads of queries, and of keys, normalised as one.
Family olmoe()
{
    return {.defaults = {.model_type = "olmoe",
                         .max_position_embeddings = 4096,
                         .rms_norm_eps = 1e-5,
                         .hidden_size = 2048,
                         .intermediate_size = 2048,
                         .layers = 16,
                         .heads = 16,
                         .vocabulary = 50304,
                         .experts = 64,
                         .experts_per_token = 8},
            .shape = olmoeShape,
            .readKeys =
                [](const json::Value& json, ModelConfig& config) {
                    config.qkv_limit = json.number("clip_qkv", 0.0, 0.0, 1e9);
                },
            .gguf = {.architectures = {"olmoe"}, .experts_sum_by_key = true}};
}

} // namespace ep::model::families
