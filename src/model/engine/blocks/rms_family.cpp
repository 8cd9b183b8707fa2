// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/rms_family.h"

#include "blocks/mlp.h"

#include <memory>

namespace ep::model {

Decoder makeRmsDecoder(const ModelConfig& config, WeightLoader& weights, const RmsFamily& family)
{
    const auto norm = [&](const std::string& name) {
        return family.norm_plus_one
            ? weights.rmsNormPlusOne(name, config.hidden_size, config.rms_norm_eps)
            : weights.rmsNorm(name, config.hidden_size, config.rms_norm_eps);
    };
    const auto feedForward = [&](const std::string& prefix,
                                 int layer) -> std::unique_ptr<FeedForward> {
        if (config.hasExperts(layer))
            return std::make_unique<MoeBlock>(weights, config, prefix + family.moe_prefix,
                                              family.moe_names);
        return std::make_unique<GatedMlp>(weights, config, prefix + "mlp.", family.fused_gate_up);
    };
    Decoder decoder = assemble(config, weights, {}, [&](const std::string& prefix, int layer) {
        Norm inputNorm = norm(prefix + "input_layernorm");
        SelfAttention attention(weights, config, layer, prefix + "self_attn.", family.attention);
        Norm postAttentionNorm = norm(prefix + "post_attention_layernorm");
        return std::make_unique<PreNormLayer>(std::move(inputNorm), std::move(attention),
                                              std::move(postAttentionNorm),
                                              feedForward(prefix, layer));
    });
    decoder.final_norm = norm("model.norm");
    return decoder;
}

} // namespace ep::model
