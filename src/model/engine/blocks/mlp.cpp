// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/mlp.h"

#include "blocks/decomposed.h"

namespace ep::model {

Activation activationFromName(const std::string& word)
{
    if (word == "gelu_new" || word == "gelu_fast" || word == "gelu_accurate"
        || word == "gelu_pytorch_tanh" || word == "gelu_python_tanh")
        return Activation::GeluTanh;
    if (word == "gelu" || word == "gelu_python")
        return Activation::GeluErf;
    if (word == "quick_gelu")
        return Activation::QuickGelu;
    if (word == "relu")
        return Activation::Relu;
    if (word == "relu2")
        return Activation::ReluSquared;
    return Activation::Silu; // silu, also called swish
}

GatedMlp::GatedMlp(WeightLoader& weights, const ModelConfig& config, std::int64_t intermediate,
                   const std::string& prefix, const MlpOptions& options)
    : m_activation(activationFromName(config.hidden_act))
    , m_intermediate(intermediate)
    , m_fused(options.kind == MlpOptions::Kind::FusedGated)
    , m_gate_factor(static_cast<float>(config.branches.mlp_gate))
    , m_down_factor(static_cast<float>(config.branches.mlp_down))
{
    const std::int64_t hidden = config.hidden_size;
    if (m_fused) {
        m_gate_up_proj =
            weights.linear(prefix + options.gate_up, hidden, 2 * m_intermediate, options.bias);
    } else {
        m_gate_proj = weights.linear(prefix + options.gate, hidden, m_intermediate, options.bias);
        m_up_proj = weights.linear(prefix + options.up, hidden, m_intermediate, options.bias);
    }
    m_down_proj = weights.linear(prefix + options.down, m_intermediate, hidden, options.bias);
}

void GatedMlp::forward(Step& step, const Matrix& x, Matrix& out) const
{
    Ops& ops = step.ops;
    Workspace& ws = step.ws;
    if (m_fused) {
        step.halfActivated(Component::GateUpProj, ws.gate_up,
                           [&] { ops.linear(x, m_gate_up_proj, ws.gate_up); }); // [rows, 2 inter]
        const Matrix gate = ws.gate_up.slice(0, m_intermediate); // [rows, inter]
        const Matrix up = ws.gate_up.slice(m_intermediate, m_intermediate); // [rows, inter]
        activated(step, m_activation, gate, &up, ws.gate); // [rows, inter]
    } else {
        step.component(Component::GateProj, ws.gate,
                       [&] { ops.linear(x, m_gate_proj, ws.gate); }); // [rows, inter]
        step.component(Component::UpProj, ws.up,
                       [&] { ops.linear(x, m_up_proj, ws.up); }); // [rows, inter]
        if (m_gate_factor != 1.0F)
            ops.scale(ws.gate, m_gate_factor);
        activated(step, m_activation, ws.gate, &ws.up, ws.gate); // [rows, inter]
    }
    step.component(Component::DownProj, out,
                   [&] { ops.linear(ws.gate, m_down_proj, out); }); // [rows, hidden]
    if (m_down_factor != 1.0F)
        ops.scale(out, m_down_factor);
}

PlainMlp::PlainMlp(WeightLoader& weights, const ModelConfig& config, const std::string& prefix,
                   const MlpOptions& options)
    : m_activation(activationFromName(config.hidden_act))
    , m_fc1(weights.linear(prefix + options.first, config.hidden_size, config.intermediate_size,
                           options.bias, options.layout))
    , m_fc2(weights.linear(prefix + options.second, config.intermediate_size, config.hidden_size,
                           options.bias, options.layout))
{
}

void PlainMlp::forward(Step& step, const Matrix& x, Matrix& out) const
{
    Ops& ops = step.ops;
    Workspace& ws = step.ws;
    step.component(Component::Fc1, ws.gate,
                   [&] { ops.linear(x, m_fc1, ws.gate); }); // [rows, inter]
    activated(step, m_activation, ws.gate, nullptr, ws.gate); // [rows, inter]
    step.component(Component::Fc2, out, [&] { ops.linear(ws.gate, m_fc2, out); }); // [rows, hidden]
}

} // namespace ep::model
