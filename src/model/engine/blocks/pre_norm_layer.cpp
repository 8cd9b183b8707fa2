// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/pre_norm_layer.h"

#include <string>

namespace ep::model {

PreNormLayer::PreNormLayer(WeightLoader& weights, const ModelConfig& config, int layer,
                           const Options& options)
    : m_input_layernorm(weights.rmsNorm(layerPrefix(layer) + "input_layernorm", config.hidden_size,
                                        config.rms_norm_eps))
    , m_self_attn(weights, config, layer, layerPrefix(layer) + "self_attn.", options.attention)
    , m_post_attention_layernorm(weights.rmsNorm(layerPrefix(layer) + "post_attention_layernorm",
                                                 config.hidden_size, config.rms_norm_eps))
    , m_mlp(weights, config, layerPrefix(layer) + "mlp.", options.fused_gate_up)
{
}

void PreNormLayer::forward(Step& step, Matrix& x) const
{
    Ops& ops = step.ops;
    Workspace& ws = step.ws;
    step.component(Component::InputLayernorm, ws.normed,
                   [&] { ops.norm(x, m_input_layernorm, ws.normed); }); // [rows, hidden]
    m_self_attn.forward(step, ws.normed, ws.branch); // [rows, hidden]
    step.component(Component::Residual, x, [&] { ops.add(x, ws.branch); });

    step.component(Component::PostAttentionLayernorm, ws.normed,
                   [&] { ops.norm(x, m_post_attention_layernorm, ws.normed); }); // [rows, hidden]
    m_mlp.forward(step, ws.normed, ws.branch); // [rows, hidden]
    step.component(Component::Residual, x, [&] { ops.add(x, ws.branch); });
}

Decoder makePreNormDecoder(const ModelConfig& config, WeightLoader& weights,
                           const PreNormLayer::Options& options)
{
    Decoder decoder = makeDecoderFrame(config, weights);
    for (int layer = 0; layer < config.num_hidden_layers; ++layer)
        decoder.layers.push_back(std::make_unique<PreNormLayer>(weights, config, layer, options));
    decoder.final_norm = weights.rmsNorm("model.norm", config.hidden_size, config.rms_norm_eps);
    decoder.lm_head = makeHead(config, weights, decoder.embedding, false);
    return decoder;
}

} // namespace ep::model
