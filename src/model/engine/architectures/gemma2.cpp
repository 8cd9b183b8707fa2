// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/layers.h"
#include "blocks/mlp.h"

#include <cmath>

namespace ep::model {
namespace {

// norm(attention(norm(x))) and norm(mlp(norm(x))); all but some layers attend through a window.
Decoder makeSandwich(const ModelConfig& config, WeightLoader& weights, const std::string& model,
                     const std::string& head, AttentionOptions::HeadNorm headNorm)
{
    const AttentionOptions attentionOptions{.qkv_bias = config.attention_bias,
                                            .output_bias = config.attention_bias,
                                            .head_norm = headNorm};
    const auto norm = [&](const std::string& name) {
        return weights.rmsNormPlusOne(name, config.hidden_size, config.rms_norm_eps);
    };
    const DecoderNames names{
        .embedding = model + "embed_tokens.weight", .layers = model + "layers.", .head = head};
    Decoder decoder = assemble(config, weights, names, [&](const std::string& prefix, int layer) {
        SandwichLayer::Norms norms{norm(prefix + "input_layernorm"),
                                   norm(prefix + "post_attention_layernorm"),
                                   norm(prefix + "pre_feedforward_layernorm"),
                                   norm(prefix + "post_feedforward_layernorm")};
        SelfAttention attention(weights, config, layer, prefix + "self_attn.", attentionOptions);
        auto mlp = std::make_unique<GatedMlp>(weights, config, prefix + "mlp.", false);
        return std::make_unique<SandwichLayer>(std::move(norms), std::move(attention),
                                               std::move(mlp));
    });
    decoder.final_norm = norm(model + "norm");
    decoder.embedding_scale = static_cast<float>(std::sqrt(config.hidden_size));
    return decoder;
}

} // namespace

// Gemma 2: scores and logits are capped.
Decoder makeGemma2(const ModelConfig& config, WeightLoader& weights)
{
    return makeSandwich(config, weights, "model.", "lm_head", AttentionOptions::HeadNorm::None);
}

// Gemma 3: heads are normalised, and layers with a window rotate with a different base.
Decoder makeGemma3(const ModelConfig& config, WeightLoader& weights)
{
    return makeSandwich(config, weights, "model.", "lm_head",
                        AttentionOptions::HeadNorm::RmsPlusOne);
}

// The text part of a multimodal Gemma 3; versions of transformers name it differently.
Decoder makeGemma3Multimodal(const ModelConfig& config, WeightLoader& weights)
{
    const bool older = weights.has("language_model.model.norm.weight");
    const bool newer = weights.has("model.language_model.norm.weight");
    const char* const model = older ? "language_model.model."
        : newer                     ? "model.language_model."
                                    : "model.";
    return makeSandwich(config, weights, model, older ? "language_model.lm_head" : "lm_head",
                        AttentionOptions::HeadNorm::RmsPlusOne);
}

} // namespace ep::model
