// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/delta_net.h"

#include <cmath>

namespace ep::model {
namespace {

constexpr double kUnitEpsilon = 1e-6; // added below the root of a sum of squares

// x / sqrt(sum of x^2 + epsilon), times a factor: an RMSNorm with other constants.
Norm unitNorm(const WeightLoader& weights, std::int64_t width, double factor)
{
    const auto dim = static_cast<double>(width);
    Norm norm;
    norm.weight = weights.constant(width, static_cast<float>(factor / std::sqrt(dim)));
    norm.epsilon = static_cast<float>(kUnitEpsilon / dim);
    return norm;
}

} // namespace

DeltaNet::DeltaNet(WeightLoader& weights, const ModelConfig& config, const std::string& prefix)
    : m_settings(config.state)
    , m_shape(stateShape(config.state, true))
{
    const std::int64_t hidden = config.hidden_size;
    loadProjections(weights, hidden, prefix);
    m_convolution =
        convolution(weights, prefix + "conv1d", 2 * m_settings.keys() + m_settings.values(),
                    m_settings.taps, m_settings.conv_bias);
    m_decay = stateDecay(weights, prefix, m_settings.value_heads);
    const auto keyDim = static_cast<double>(m_settings.key_dim);
    m_q_norm = unitNorm(weights, m_settings.key_dim, 1.0 / std::sqrt(keyDim));
    m_k_norm = unitNorm(weights, m_settings.key_dim, 1.0);
    m_norm = {.norm = weights.rmsNorm(prefix + "norm", m_settings.value_dim, config.rms_norm_eps),
              .groups = m_settings.value_heads,
              .norm_first = true};
    m_out = weights.linear(prefix + "out_proj", m_settings.values(), hidden, false);
}

void DeltaNet::loadProjections(WeightLoader& weights, std::int64_t hidden,
                               const std::string& prefix)
{
    const StateSettings& s = m_settings;
    const std::int64_t share = s.value_heads / s.key_heads; // number of value heads per key head
    const std::int64_t values = share * s.value_dim;
    if (weights.has(prefix + "in_proj_qkvz.weight")) {
        const std::int64_t stride = 2 * s.key_dim + 2 * values;
        m_qkvz = weights.linear(prefix + "in_proj_qkvz", hidden, s.key_heads * stride, false);
        const auto addParts = [&](std::vector<ColumnRun>& runs, std::int64_t begin,
                                  std::int64_t count) {
            for (std::int64_t head = 0; head < s.key_heads; ++head)
                runs.push_back({.begin = head * stride + begin, .count = count});
        };
        addParts(m_qkv_runs, 0, s.key_dim);
        addParts(m_qkv_runs, s.key_dim, s.key_dim);
        addParts(m_qkv_runs, 2 * s.key_dim, values);
        addParts(m_z_runs, 2 * s.key_dim + values, values);
    } else {
        m_qkv = weights.linear(prefix + "in_proj_qkv", hidden, 2 * s.keys() + s.values(), false);
        m_z = weights.linear(prefix + "in_proj_z", hidden, s.values(), false);
    }
    if (weights.has(prefix + "in_proj_ba.weight")) {
        m_ba = weights.linear(prefix + "in_proj_ba", hidden, 2 * s.value_heads, false);
        for (std::int64_t head = 0; head < s.key_heads; ++head) {
            m_b_runs.push_back({.begin = 2 * head * share, .count = share});
            m_a_runs.push_back({.begin = (2 * head + 1) * share, .count = share});
        }
    } else {
        m_b = weights.linear(prefix + "in_proj_b", hidden, s.value_heads, false);
        m_a = weights.linear(prefix + "in_proj_a", hidden, s.value_heads, false);
    }
}

void DeltaNet::project(Step& step, const Matrix& x) const
{
    Ops& ops = step.ops;
    Workspace& ws = step.ws;
    if (m_qkv_runs.empty()) {
        step.component(Component::InProjQkv, ws.mixed,
                       [&] { ops.linear(x, m_qkv, ws.mixed); }); // [rows, 2 keys + values]
        step.component(Component::InProjZ, ws.output_gate,
                       [&] { ops.linear(x, m_z, ws.output_gate); }); // [rows, values]
    } else {
        step.component(Component::InProj, ws.qkv, [&] {
            ops.linear(x, m_qkvz, ws.qkv); // [rows, 2 keys + 2 values]
            ops.pick(ws.qkv, m_qkv_runs, ws.mixed);
            ops.pick(ws.qkv, m_z_runs, ws.output_gate);
        });
    }
    step.component(Component::InProjBa, ws.numbers, [&] {
        if (m_b_runs.empty()) {
            ops.linear(x, m_b, ws.betas); // [rows, value heads]
            ops.linear(x, m_a, ws.numbers);
        } else {
            ops.linear(x, m_ba, ws.gate); // [rows, 2 value heads]
            ops.pick(ws.gate, m_b_runs, ws.betas);
            ops.pick(ws.gate, m_a_runs, ws.numbers);
        }
    });
}

void DeltaNet::applyRule(Step& step) const
{
    constexpr Component kRule = Component::DeltaRule;
    Ops& ops = step.ops;
    Workspace& ws = step.ws;
    const std::int64_t keys = m_settings.keys();
    Matrix q = ws.convolved.slice(0, keys); // [rows, keys]
    Matrix k = ws.convolved.slice(keys, keys); // [rows, keys]
    const Matrix v = ws.convolved.slice(2 * keys, m_settings.values()); // [rows, values]
    step.operation(kRule, Operation::QkL2norm, k, [&] {
        ops.normHeads(q, m_q_norm, m_settings.key_heads);
        ops.normHeads(k, m_k_norm, m_settings.key_heads);
    });
    step.operation(kRule, Operation::Beta, ws.betas,
                   [&] { ops.activate(Activation::Sigmoid, ws.betas, nullptr, ws.betas); });
    step.operation(kRule, Operation::Decay, ws.decays,
                   [&] { ops.decay(ws.numbers, m_decay, ws.steps, ws.decays); });
    step.operation(kRule, Operation::DeltaRule, ws.context, [&] {
        ops.recur({q, k, v, ws.betas, ws.decays}, m_shape, step.sequences, step.layer, ws.context);
    }); // [rows, values]
}

void DeltaNet::forward(Step& step, const Matrix& x, Matrix& out) const
{
    Workspace& ws = step.ws;
    project(step, x);
    convolved(step, ws.mixed, m_convolution);
    step.component(Component::DeltaRule, ws.context, [&] { applyRule(step); });
    gatedNormed(step, ws.output_gate, m_norm, ws.context); // [rows, values]
    step.component(Component::OutProj, out,
                   [&] { step.ops.linear(ws.context, m_out, out); }); // [rows, hidden]
}

} // namespace ep::model
