// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"

#include "ep/json/value.h"

#include <cmath>
#include <optional>

namespace ep::model::families {
namespace {

constexpr double kQueryScalar = 256.0; // scores are divided by the square root of this
constexpr double kGemma2ScoreCap = 50.0;
constexpr double kGemma2LogitCap = 30.0;

// norm(attention(norm(x))) and norm(mlp(norm(x))); all but some layers attend through a window.
FamilyShape sandwichShape(const ModelConfig& config)
{
    return {.order = LayerOrder::Sandwich,
            .norm = NormStyle::RmsPlusOne,
            .attention = {.qkv_bias = config.attention_bias, .output_bias = config.attention_bias},
            .mlp = {.bias = config.mlp_bias},
            .scaled_embedding = true};
}

FamilyShape gemma3Shape(const ModelConfig& config)
{
    FamilyShape shape = sandwichShape(config);
    shape.attention.head_norm = AttentionOptions::HeadNorm::RmsPlusOne;
    return shape;
}

// The text part of a multimodal model; its name depends on the version of transformers.
FamilyShape gemma3MultimodalShape(const ModelConfig& config)
{
    FamilyShape shape = gemma3Shape(config);
    shape.names.spellings = {{"language_model.model.", "language_model.lm_head"},
                             {"model.language_model.", "lm_head"},
                             {"model.", "lm_head"}};
    return shape;
}

std::optional<double> readCap(const json::Value& json, const char* key, double fallback)
{
    if (json.contains(key) && !json.has(key))
        return std::nullopt; // null means none
    const double cap = json.number(key, fallback, 0.0, 1e9);
    return cap == 0.0 ? std::nullopt : std::optional(cap);
}

void readScores(const json::Value& json, ModelConfig& config, double scoreCap, double logitCap)
{
    config.attention_scale =
        1.0 / std::sqrt(json.number("query_pre_attn_scalar", kQueryScalar, 1e-6, 1e9));
    config.attn_logit_softcapping = readCap(json, "attn_logit_softcapping", scoreCap);
    config.final_logit_softcapping = readCap(json, "final_logit_softcapping", logitCap);
}

Family gemma3As(FamilyShape (*shape)(const ModelConfig&))
{
    return {.defaults = {.model_type = "gemma3_text",
                         .max_position_embeddings = 131072,
                         .kv_heads = 4,
                         .head_dim = 256,
                         .rope_theta = 1e6,
                         .window_rule = WindowRule::Pattern,
                         .sliding_window = 4096,
                         .hidden_act = "gelu_pytorch_tanh",
                         .activation_key = "hidden_activation",
                         .tied = true,
                         .hidden_size = 2304,
                         .intermediate_size = 9216,
                         .layers = 26,
                         .heads = 8,
                         .vocabulary = 262208},
            .shape = shape,
            .readKeys = [](const json::Value& json,
                           ModelConfig& config) { readScores(json, config, 0.0, 0.0); },
            .gguf = {.architectures = {"gemma3"}, .layers_scaled_by_width = 62}};
}

} // namespace

// Gemma 2: caps scores and logits.
Family gemma2()
{
    return {.defaults = {.model_type = "gemma2",
                         .max_position_embeddings = 8192,
                         .kv_heads = 4,
                         .head_dim = 256,
                         .window_rule = WindowRule::Alternating,
                         .sliding_window = 4096,
                         .hidden_act = "gelu_pytorch_tanh",
                         .activation_key = "hidden_activation",
                         .tied = true},
            .shape = sandwichShape,
            .readKeys =
                [](const json::Value& json, ModelConfig& config) {
                    readScores(json, config, kGemma2ScoreCap, kGemma2LogitCap);
                },
            .gguf = {.architectures = {"gemma2"}, .layers_scaled_by_width = 46}};
}

// Gemma 3: heads are normalised, and layers with a window rotate with a different base.
Family gemma3()
{
    return gemma3As(gemma3Shape);
}

Family gemma3Multimodal()
{
    return gemma3As(gemma3MultimodalShape);
}

} // namespace ep::model::families
