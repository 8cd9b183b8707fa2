// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"
#include "families/shared_keys.h"

namespace ep::model::families {
namespace {

FamilyShape miniMaxM2Shape(const ModelConfig&)
{
    return {.attention = {.head_norm = AttentionOptions::HeadNorm::RmsOfAllHeads},
            .moe = {.prefixes = {"mlp.", "block_sparse_moe."},
                    .correction = "e_score_correction_bias",
                    .gate = "w1",
                    .up = "w3",
                    .down = "w2"}};
}

} // namespace

// Experts in every layer, chosen by corrected sigmoids; rotates a part of each head, and
// normalises all heads of queries, and of keys, as one.
Family miniMaxM2()
{
    return {.defaults = {.model_type = "minimax_m2",
                         .max_position_embeddings = 196608,
                         .kv_heads = 8,
                         .head_dim = 128,
                         .rope_theta = 5e6,
                         .attention_bias_key = "",
                         .experts = 256,
                         .experts_per_token = 8,
                         .position_keys = {"rotary_dim"}},
            .shape = miniMaxM2Shape,
            .readKeys =
                [](const json::Value& json, ModelConfig& config) {
                    readCorrectedScores(json, config, 0, 1.0);
                    if (json.has("rotary_dim")) {
                        const int rotated =
                            json.integer("rotary_dim", config.head_dim, 2, config.head_dim);
                        config.partial_rotary_factor =
                            static_cast<double>(rotated) / config.head_dim;
                    }
                },
            .gguf = {.architectures = {"minimax-m2"}}};
}

} // namespace ep::model::families
