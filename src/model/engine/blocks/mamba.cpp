// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/mamba.h"

namespace ep::model {
namespace {

// Applies the factors of x, B and C, since a convolution is linear in each channel.
void scaleChannels(Convolution& convolution, const StateSettings& settings)
{
    at::Tensor& weights = convolution.weights.tensor; // [taps, channels]
    if (!weights.defined())
        return;
    const StateFactors& factors = settings.factors;
    std::int64_t first = 0;
    for (const auto& [count, factor] :
         {std::pair(settings.values(), factors.x), std::pair(settings.keys(), factors.b),
          std::pair(settings.keys(), factors.c)}) {
        if (factor != 1.0)
            weights.narrow(1, first, count).mul_(factor);
        first += count;
    }
}

void scaleBy(Ops& ops, Matrix& x, double factor)
{
    if (factor != 1.0)
        ops.scale(x, static_cast<float>(factor));
}

} // namespace

Mamba::Mamba(WeightLoader& weights, const ModelConfig& config, const std::string& prefix)
    : m_settings(config.state)
    , m_shape(stateShape(config.state, false))
{
    const StateSettings& s = m_settings;
    const std::int64_t channels = s.values() + 2 * s.keys();
    m_in = weights.linear(prefix + "in_proj", config.hidden_size,
                          s.values() + channels + s.value_heads, s.projection_bias);
    m_convolution = convolution(weights, prefix + "conv1d", channels, s.taps, s.conv_bias);
    scaleChannels(m_convolution, s);
    m_decay = stateDecay(weights, prefix, s.value_heads);
    m_decay.least = static_cast<float>(s.least_step);
    m_decay.most = static_cast<float>(s.most_step);
    m_shape.skip = weights.wideVector(prefix + "D", s.value_heads);
    m_norm = {.groups = s.norm_groups, .normalises = s.normalises, .norm_first = s.norm_first};
    if (s.normalises) {
        m_norm.norm = weights.rmsNorm(prefix + "norm", s.values(), config.rms_norm_eps);
        m_norm.norm.per_head = true; // each group has its own weights
    }
    m_out = weights.linear(prefix + "out_proj", s.values(), config.hidden_size, s.output_bias);
}

void Mamba::scan(Step& step, Matrix& steps) const
{
    constexpr Component kScan = Component::Scan;
    Ops& ops = step.ops;
    Workspace& ws = step.ws;
    const std::int64_t keys = m_settings.keys();
    const std::int64_t values = m_settings.values();
    const Matrix x = ws.convolved.slice(0, values); // [rows, values]
    const Matrix b = ws.convolved.slice(values, keys); // [rows, keys]
    const Matrix c = ws.convolved.slice(values + keys, keys); // [rows, keys]
    step.operation(kScan, Operation::Decay, ws.decays, [&] {
        scaleBy(ops, steps, m_settings.factors.dt);
        ops.decay(steps, m_decay, ws.steps, ws.decays); // [rows, heads]
    });
    step.operation(kScan, Operation::Scan, ws.context, [&] {
        ops.recur({c, b, x, ws.steps, ws.decays}, m_shape, step.sequences, step.layer, ws.context);
    }); // [rows, values]
}

void Mamba::forward(Step& step, const Matrix& x, Matrix& out) const
{
    Ops& ops = step.ops;
    Workspace& ws = step.ws;
    const std::int64_t values = m_settings.values();
    const std::int64_t channels = values + 2 * m_settings.keys();
    step.component(Component::InProj, ws.qkv, [&] {
        // [rows, values + channels + heads]; the factor does not apply to the bias
        ops.linear(scaledInput(step, x, m_settings.factors.in), m_in, ws.qkv);
    });
    Matrix gate = ws.qkv.slice(0, values); // [rows, values]
    scaleBy(ops, gate, m_settings.factors.z);
    Matrix steps = ws.qkv.slice(values + channels, m_settings.value_heads); // [rows, heads]
    convolved(step, ws.qkv.slice(values, channels), m_convolution); // [rows, channels]
    step.component(Component::Scan, ws.context, [&] { scan(step, steps); });
    gatedNormed(step, gate, m_norm, ws.context); // [rows, values]
    step.component(Component::OutProj, out,
                   [&] { ops.linear(ws.context, m_out, out); }); // [rows, hidden]
    scaleBy(ops, out, m_settings.factors.out);
}

void MambaAndAttention::forward(Step& step, const Matrix& x, Matrix& out) const
{
    Ops& ops = step.ops;
    Workspace& ws = step.ws;
    m_mamba.forward(step, x, out); // [rows, hidden]
    m_attention.forward(step, scaledInput(step, x, m_in), ws.second_branch); // [rows, hidden]
    step.component(Component::Residual, out, [&] {
        if (m_out != 1.0F)
            ops.scale(ws.second_branch, m_out);
        ops.add(out, ws.second_branch);
    });
}

} // namespace ep::model
