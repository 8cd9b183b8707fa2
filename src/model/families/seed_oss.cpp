// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"

#include "ep/json/value.h"

namespace ep::model::families {
namespace {

// One key for biases of queries, keys and values, and another for the output's.
FamilyShape seedOssShape(const ModelConfig& config)
{
    return {.attention = {.qkv_bias = config.attention_bias,
                          .output_bias = config.attention_output_bias},
            .mlp = {.bias = config.mlp_bias}};
}

} // namespace

Family seedOss()
{
    return {.defaults = {.model_type = "seed_oss",
                         .max_position_embeddings = 524288,
                         .kv_heads = 8,
                         .head_dim = 128,
                         .attention_bias = true},
            .shape = seedOssShape,
            .readKeys =
                [](const json::Value& json, ModelConfig& config) {
                    config.attention_output_bias = json.boolean("attention_out_bias", false);
                },
            .gguf = {.architectures = {"seed_oss"}}};
}

} // namespace ep::model::families
