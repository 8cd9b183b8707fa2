// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"

namespace ep::model::families {
namespace {

FamilyShape exaone4Shape(const ModelConfig&)
{
    return {.order = LayerOrder::PostNorm,
            .attention = {.head_norm = AttentionOptions::HeadNorm::Rms}};
}

} // namespace

// Norms follow attention and MLP; three of four layers have a window, and then the others do not
// rotate.
Family exaone4()
{
    return {.defaults = {.model_type = "exaone4",
                         .rms_norm_eps = 1e-5,
                         .window_rule = WindowRule::AllButFourth,
                         .sliding_window = 4096,
                         .attention_bias_key = "",
                         .unrotated_full = true},
            .shape = exaone4Shape,
            .gguf = {.architectures = {"exaone4"}, .window_by_key = true}};
}

} // namespace ep::model::families
