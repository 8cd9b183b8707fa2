// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/layers.h"
#include "blocks/mlp.h"

namespace ep::model {

// Phi 1.5 and 2: n = norm(x), x = x + attention(n) + mlp(n), with biases everywhere.
Decoder makePhi(const ModelConfig& config, WeightLoader& weights)
{
    const AttentionOptions attentionOptions{.qkv_bias = true,
                                            .output_bias = true,
                                            .output_name = "dense",
                                            .head_norm = config.qk_layernorm
                                                ? AttentionOptions::HeadNorm::Layer
                                                : AttentionOptions::HeadNorm::None,
                                            .q_norm_name = "q_layernorm",
                                            .k_norm_name = "k_layernorm"};
    const auto norm = [&](const std::string& name) {
        return weights.layerNorm(name, config.hidden_size, config.layer_norm_eps);
    };
    Decoder decoder =
        assemble(config, weights, {.head_bias = true}, [&](const std::string& prefix, int layer) {
            Norm inputNorm = norm(prefix + "input_layernorm");
            SelfAttention attention(weights, config, layer, prefix + "self_attn.",
                                    attentionOptions);
            auto mlp =
                std::make_unique<PlainMlp>(weights, config, prefix + "mlp.", PlainMlp::Options{});
            return std::make_unique<ParallelLayer>(std::move(inputNorm), std::move(attention),
                                                   std::nullopt, std::move(mlp));
        });
    decoder.final_norm = norm("model.final_layernorm");
    return decoder;
}

} // namespace ep::model
