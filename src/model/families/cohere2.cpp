// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"

#include "ep/json/value.h"

namespace ep::model::families {
namespace {

// Attention and MLP in parallel after one LayerNorm without a bias.
FamilyShape cohere2Shape(const ModelConfig& config)
{
    return {.order = LayerOrder::Parallel,
            .norm = NormStyle::LayerWithoutBias,
            .attention = {.qkv_bias = config.attention_bias,
                          .output_bias = config.attention_bias,
                          .interleaved = true}};
}

} // namespace

// Command R7B: only layers with a window rotate.
Family cohere2()
{
    return {.defaults = {.model_type = "cohere2",
                         .max_position_embeddings = 8192,
                         .window_rule = WindowRule::AllButFourth,
                         .sliding_window = 4096,
                         .tied = true,
                         .unrotated_full = true},
            .shape = cohere2Shape,
            .readKeys =
                [](const json::Value& json, ModelConfig& config) {
                    config.logit_factor = json.number("logit_scale", 0.0625, 1e-9, 1e9);
                    if (!config.sliding_window)
                        config.unrotated_layers.assign(
                            static_cast<std::size_t>(config.num_hidden_layers), true);
                },
            .gguf = {.architectures = {"cohere2"}, .window_by_key = true}};
}

} // namespace ep::model::families
