// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"

namespace ep::model::families {
namespace {

FamilyShape hunYuanShape(const ModelConfig& config)
{
    return {.attention = {.qkv_bias = config.attention_bias,
                          .output_bias = config.attention_bias,
                          .head_norm = AttentionOptions::HeadNorm::Rms,
                          .norm_after_rotation = true,
                          .q_norm_name = "query_layernorm",
                          .k_norm_name = "key_layernorm"}};
}

} // namespace

// Normalises heads after the rotation, whose base grows by a fixed alpha.
Family hunYuanDense()
{
    return {
        .defaults = {.model_type = "hunyuan_v1_dense", .rms_norm_eps = 1e-5, .rope_alpha = true},
        .shape = hunYuanShape,
        .gguf = {.architectures = {"hunyuan-dense"}}};
}

} // namespace ep::model::families
