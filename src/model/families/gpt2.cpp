// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"

#include "ep/json/value.h"

namespace ep::model::families {
namespace {

// Learned positions, LayerNorm, projections stored as [in, out], biases everywhere. The names in
// the first files lack the prefix "transformer.".
FamilyShape gpt2Shape(const ModelConfig&)
{
    const LinearLayout transposed{.transposed = true};
    return {.norm = NormStyle::Layer,
            .attention = {.qkv_bias = true,
                          .output_bias = true,
                          .fused_name = "c_attn",
                          .layout = transposed,
                          .output_name = "c_proj",
                          .rotary = false},
            .mlp = {.kind = MlpOptions::Kind::Plain,
                    .bias = true,
                    .first = "c_fc",
                    .second = "c_proj",
                    .layout = transposed},
            .names = {.spellings = {{"", "lm_head"}, {"transformer.", "lm_head"}},
                      .embedding = "wte",
                      .positions = "wpe",
                      .layers = "h.",
                      .final_norm = "ln_f",
                      .input_norm = "ln_1",
                      .post_attention_norm = "ln_2",
                      .attention = "attn."}};
}

void readGpt2Keys(const json::Value& json, ModelConfig& config)
{
    if (!json.boolean("scale_attn_weights", true))
        config.attention_scale = 1.0;
    config.scale_attn_by_layer = json.boolean("scale_attn_by_inverse_layer_idx", false);
}

} // namespace

Family gpt2()
{
    return {.defaults = {.model_type = "gpt2",
                         .max_position_embeddings = 1024,
                         .hidden_act = "gelu_new",
                         .activation_key = "activation_function",
                         .attention_bias = true,
                         .attention_bias_key = "",
                         .tied = true,
                         .mlp_ratio = 4},
            .shape = gpt2Shape,
            .readKeys = readGpt2Keys,
            .gguf = {.architectures = {"gpt2"}}};
}

} // namespace ep::model::families
