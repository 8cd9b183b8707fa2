// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"

namespace ep::model::families {
namespace {

// Norms follow attention and MLP; all heads of queries, and of keys, are normalised as one.
FamilyShape olmo2Shape(const ModelConfig& config)
{
    return {.order = LayerOrder::PostNorm,
            .attention = {.qkv_bias = config.attention_bias,
                          .output_bias = config.attention_bias,
                          .head_norm = AttentionOptions::HeadNorm::RmsOfAllHeads}};
}

ConfigDefaults olmoDefaults(const char* type)
{
    return {.model_type = type,
            .max_position_embeddings = 2048,
            .rms_norm_eps = 1e-5,
            .hidden_size = 4096,
            .intermediate_size = 11008,
            .layers = 32,
            .heads = 32,
            .vocabulary = 50304};
}

} // namespace

Family olmo2()
{
    return {.defaults = olmoDefaults("olmo2"),
            .shape = olmo2Shape,
            .gguf = {.architectures = {"olmo2"}}};
}

// OLMo 2 with windows in three of four layers, where positions are not scaled.
Family olmo3()
{
    Family family{.defaults = olmoDefaults("olmo3"), .shape = olmo2Shape};
    family.defaults.rope_theta = 500000.0;
    family.defaults.window_rule = WindowRule::AllButFourth;
    family.defaults.sliding_window = 4096;
    family.defaults.unscaled_windows = true;
    family.gguf = {.architectures = {"olmo2"}, .matches = hasWindow};
    return family;
}

} // namespace ep::model::families
