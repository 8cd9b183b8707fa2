// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/layers.h"
#include "blocks/mlp.h"

namespace ep::model {

// GPT-NeoX and Pythia: attention and MLP in parallel or sequential, each with its own norm; one
// fused projection whose rows are sorted by head; a share of each head is rotated.
Decoder makeGptNeoX(const ModelConfig& config, WeightLoader& weights)
{
    const AttentionOptions attentionOptions{
        .qkv_bias = config.attention_bias,
        .output_bias = config.attention_bias,
        .fused_name = "query_key_value",
        .layout = {.interleaved_heads = config.num_attention_heads},
        .output_name = "dense"};
    const PlainMlp::Options mlpOptions{.first = "dense_h_to_4h", .second = "dense_4h_to_h"};
    const auto norm = [&](const std::string& name) {
        return weights.layerNorm(name, config.hidden_size, config.layer_norm_eps);
    };
    const DecoderNames names{
        .embedding = "gpt_neox.embed_in.weight", .layers = "gpt_neox.layers.", .head = "embed_out"};
    Decoder decoder = assemble(
        config, weights, names,
        [&](const std::string& prefix, int layer) -> std::unique_ptr<DecoderLayer> {
            Norm inputNorm = norm(prefix + "input_layernorm");
            SelfAttention attention(weights, config, layer, prefix + "attention.",
                                    attentionOptions);
            Norm mlpNorm = norm(prefix + "post_attention_layernorm");
            auto mlp = std::make_unique<PlainMlp>(weights, config, prefix + "mlp.", mlpOptions);
            if (config.parallel_residual) {
                return std::make_unique<ParallelLayer>(std::move(inputNorm), std::move(attention),
                                                       std::move(mlpNorm), std::move(mlp));
            }
            return std::make_unique<PreNormLayer>(std::move(inputNorm), std::move(attention),
                                                  std::move(mlpNorm), std::move(mlp));
        });
    decoder.final_norm = norm("gpt_neox.final_layer_norm");
    return decoder;
}

} // namespace ep::model
