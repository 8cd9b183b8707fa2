// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"

#include "ep/json/value.h"

namespace ep::model::families {
namespace {

// Like Llama, with LayerNorm and a plain MLP; one key says whether all projections have biases.
FamilyShape starcoder2Shape(const ModelConfig& config)
{
    const bool bias = config.attention_bias;
    return {
        .norm = NormStyle::Layer,
        .attention = {.qkv_bias = bias, .output_bias = bias},
        .mlp = {
            .kind = MlpOptions::Kind::Plain, .bias = bias, .first = "c_fc", .second = "c_proj"}};
}

} // namespace

Family starcoder2()
{
    return {.defaults = {.model_type = "starcoder2",
                         .max_position_embeddings = 4096,
                         .kv_heads = 2,
                         .window_rule = WindowRule::All,
                         .hidden_act = "gelu_pytorch_tanh",
                         .attention_bias = true,
                         .attention_bias_key = "use_bias",
                         .tied = true,
                         .hidden_size = 3072,
                         .intermediate_size = 12288,
                         .layers = 30,
                         .heads = 24,
                         .vocabulary = 49152},
            .shape = starcoder2Shape,
            .readKeys = [](const json::Value& json, ModelConfig& config) {
                config.layer_norm_eps = json.number("norm_epsilon", 1e-5, 0.0, 1.0);
            }};
}

} // namespace ep::model::families
