// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"

namespace ep::model::families {
namespace {

FamilyShape ministral3Shape(const ModelConfig& config)
{
    return {.mlp = {.bias = config.mlp_bias}};
}

// The text part of a multimodal model; its name depends on the version of transformers.
FamilyShape mistral3Shape(const ModelConfig& config)
{
    FamilyShape shape = ministral3Shape(config);
    shape.names.spellings = {{"language_model.model.", "language_model.lm_head"},
                             {"model.language_model.", "lm_head"},
                             {"model.", "lm_head"}};
    return shape;
}

Family ministral3As(FamilyShape (*shape)(const ModelConfig&))
{
    return {.defaults = {.model_type = "ministral3",
                         .max_position_embeddings = 262144,
                         .kv_heads = 8,
                         .head_dim = 128,
                         .rms_norm_eps = 1e-5,
                         .rope_theta = 1e6,
                         .window_rule = WindowRule::All,
                         .attention_bias_key = "",
                         .query_growth = true},
            .shape = shape,
            .gguf = {.architectures = {"mistral3"}, .turned_heads = true}};
}

} // namespace

// Like Mistral, but queries grow with the logarithm of positions beyond the original context.
Family ministral3()
{
    return ministral3As(ministral3Shape);
}

// Ministral 3, Mistral Small 3 and Devstral with their vision parts. Some have Mistral's text
// part, and then also its defaults.
Family mistral3Multimodal()
{
    return ministral3As(mistral3Shape);
}

} // namespace ep::model::families
