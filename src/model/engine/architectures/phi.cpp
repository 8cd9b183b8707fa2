// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/mlp.h"
#include "blocks/self_attention.h"
#include "decoder.h"

namespace ep::model {
namespace {

// Phi 1.5 and 2: n = norm(x), x = x + attention(n) + mlp(n), with biases everywhere.
class PhiLayer final : public DecoderLayer {
public:
    PhiLayer(WeightLoader& weights, const ModelConfig& config, int layer)
        : m_input_layernorm(weights.layerNorm(layerPrefix(layer) + "input_layernorm",
                                              config.hidden_size, config.layer_norm_eps))
        , m_self_attn(weights, config, layer, layerPrefix(layer) + "self_attn.",
                      {.qkv_bias = true, .output_bias = true, .output_name = "dense"})
        , m_mlp(weights, config, layerPrefix(layer) + "mlp.")
    {
    }

    void forward(Step& step, Matrix& x) const override
    {
        Ops& ops = step.ops;
        Workspace& ws = step.ws;
        step.component(Component::InputLayernorm, ws.normed,
                       [&] { ops.norm(x, m_input_layernorm, ws.normed); }); // [rows, hidden]
        m_self_attn.forward(step, ws.normed, ws.branch); // [rows, hidden]
        m_mlp.forward(step, ws.normed, ws.second_branch); // [rows, hidden]
        step.component(Component::Residual, x, [&] {
            ops.add(x, ws.branch);
            ops.add(x, ws.second_branch);
        });
    }

private:
    Norm m_input_layernorm;
    SelfAttention m_self_attn;
    PlainMlp m_mlp;
};

} // namespace

Decoder makePhi(const ModelConfig& config, WeightLoader& weights)
{
    Decoder decoder = makeDecoderFrame(config, weights);
    for (int layer = 0; layer < config.num_hidden_layers; ++layer)
        decoder.layers.push_back(std::make_unique<PhiLayer>(weights, config, layer));
    decoder.final_norm =
        weights.layerNorm("model.final_layernorm", config.hidden_size, config.layer_norm_eps);
    decoder.lm_head = makeHead(config, weights, decoder.embedding, true);
    return decoder;
}

} // namespace ep::model
