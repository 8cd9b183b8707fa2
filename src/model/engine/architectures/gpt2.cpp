// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/layers.h"
#include "blocks/mlp.h"

namespace ep::model {

// GPT-2: learned positions, LayerNorm, projections stored [in, out], biases everywhere. The first
// files have no "transformer." before their names.
Decoder makeGpt2(const ModelConfig& config, WeightLoader& weights)
{
    const std::string model = weights.has("wpe.weight") ? "" : "transformer.";
    const LinearLayout transposed{.transposed = true};
    const AttentionOptions attentionOptions{.qkv_bias = true,
                                            .output_bias = true,
                                            .fused_name = "c_attn",
                                            .layout = transposed,
                                            .output_name = "c_proj",
                                            .rotary = false};
    const PlainMlp::Options mlpOptions{.first = "c_fc", .second = "c_proj", .layout = transposed};
    const auto norm = [&](const std::string& name) {
        return weights.layerNorm(name, config.hidden_size, config.layer_norm_eps);
    };
    const DecoderNames names{.embedding = model + "wte.weight", .layers = model + "h."};
    Decoder decoder = assemble(config, weights, names, [&](const std::string& prefix, int layer) {
        Norm inputNorm = norm(prefix + "ln_1");
        SelfAttention attention(weights, config, layer, prefix + "attn.", attentionOptions);
        auto mlp = std::make_unique<PlainMlp>(weights, config, prefix + "mlp.", mlpOptions);
        return std::make_unique<PreNormLayer>(std::move(inputNorm), std::move(attention),
                                              norm(prefix + "ln_2"), std::move(mlp));
    });
    decoder.ropes.clear();
    decoder.positions =
        weights.matrix(model + "wpe.weight", config.max_position_embeddings, config.hidden_size);
    decoder.final_norm = norm(model + "ln_f");
    return decoder;
}

} // namespace ep::model
