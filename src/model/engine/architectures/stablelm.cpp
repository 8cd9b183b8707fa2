// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/layers.h"
#include "blocks/mlp.h"

namespace ep::model {

// StableLM: LayerNorm instead of RMSNorm, a share of each head is rotated; in some models attention
// and MLP run in parallel from one norm, in some every head is normalised.
Decoder makeStableLm(const ModelConfig& config, WeightLoader& weights)
{
    const AttentionOptions attentionOptions{.qkv_bias = config.attention_bias,
                                            .head_norm = config.qk_layernorm
                                                ? AttentionOptions::HeadNorm::LayerOfEachHead
                                                : AttentionOptions::HeadNorm::None,
                                            .q_norm_name = "q_layernorm",
                                            .k_norm_name = "k_layernorm"};
    const auto norm = [&](const std::string& name) {
        return weights.layerNorm(name, config.hidden_size, config.layer_norm_eps);
    };
    Decoder decoder = assemble(
        config, weights, {},
        [&](const std::string& prefix, int layer) -> std::unique_ptr<DecoderLayer> {
            Norm inputNorm = norm(prefix + "input_layernorm");
            SelfAttention attention(weights, config, layer, prefix + "self_attn.",
                                    attentionOptions);
            auto mlp = std::make_unique<GatedMlp>(weights, config, prefix + "mlp.", false);
            if (config.parallel_residual) {
                return std::make_unique<ParallelLayer>(std::move(inputNorm), std::move(attention),
                                                       std::nullopt, std::move(mlp));
            }
            return std::make_unique<PreNormLayer>(std::move(inputNorm), std::move(attention),
                                                  norm(prefix + "post_attention_layernorm"),
                                                  std::move(mlp));
        });
    decoder.final_norm = norm("model.norm");
    return decoder;
}

} // namespace ep::model
