// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"

#include "ep/json/value.h"

namespace ep::model::families {
namespace {

FamilyShape graniteShape(const ModelConfig& config)
{
    return {.attention = {.qkv_bias = config.attention_bias, .output_bias = config.attention_bias},
            .mlp = {.bias = config.mlp_bias},
            .moe = {.prefixes = {"block_sparse_moe."},
                    .router = "router.layer",
                    .stacked_gate_up = "input_linear.weight",
                    .stacked_down = "output_linear.weight"}};
}

// Of scores, embedding, branches and logits.
void readMultipliers(const json::Value& json, ModelConfig& config)
{
    config.attention_scale = json.number("attention_multiplier", 1.0, 1e-9, 1e9);
    config.embedding_factor = json.number("embedding_multiplier", 1.0, 1e-9, 1e9);
    config.residual_factor = json.number("residual_multiplier", 1.0, 1e-9, 1e9);
    config.logit_factor = 1.0 / json.number("logits_scaling", 1.0, 1e-9, 1e9);
}

} // namespace

// Llama with four multipliers.
Family granite()
{
    return {
        .defaults = {.model_type = "granite"}, .shape = graniteShape, .readKeys = readMultipliers};
}

Family graniteMoe()
{
    return {.defaults = {.model_type = "granitemoe",
                         .experts = 8,
                         .experts_per_token = 2,
                         .normalise_experts = true},
            .shape = graniteShape,
            .readKeys = readMultipliers};
}

} // namespace ep::model::families
