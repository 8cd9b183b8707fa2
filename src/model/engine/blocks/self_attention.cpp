// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/self_attention.h"

#include "blocks/decomposed.h"

#include <cmath>
#include <cstddef>

namespace ep::model {
namespace {

AttentionShape shapeOf(const ModelConfig& config, int layer, const AttentionOptions& options)
{
    double scale =
        config.attention_scale > 0.0 ? config.attention_scale : 1.0 / std::sqrt(config.head_dim);
    if (config.scale_attn_by_layer)
        scale /= layer + 1;
    return {.heads = config.num_attention_heads,
            .kv_heads = config.num_key_value_heads,
            .head_dim = config.head_dim,
            .rotary_dim = options.rotary ? config.rotaryDim() : 0,
            .scale = static_cast<float>(scale),
            .soft_cap = static_cast<float>(config.attn_logit_softcapping.value_or(0.0)),
            .window = config.windowOf(layer)};
}

Norm headNorm(WeightLoader& weights, const ModelConfig& config, const std::string& name, int heads,
              AttentionOptions::HeadNorm kind)
{
    using HeadNorm = AttentionOptions::HeadNorm;
    switch (kind) {
    case HeadNorm::Layer:
        return weights.layerNorm(name, config.head_dim, config.layer_norm_eps);
    case HeadNorm::LayerOfEachHead:
        return weights.layerNormOfHeads(name + ".norms.", heads, config.head_dim,
                                        config.layer_norm_eps);
    case HeadNorm::RmsPlusOne:
        return weights.rmsNormPlusOne(name, config.head_dim, config.rms_norm_eps);
    case HeadNorm::Rms:
    case HeadNorm::None:
        break;
    }
    return weights.rmsNorm(name, config.head_dim, config.rms_norm_eps);
}

} // namespace

SelfAttention::SelfAttention(WeightLoader& weights, const ModelConfig& config, int layer,
                             const std::string& prefix, const AttentionOptions& options)
    : m_shape(shapeOf(config, layer, options))
    , m_rope(m_shape.window && config.local_rope ? 1 : 0)
    , m_fused(options.fused_name != nullptr)
    , m_head_norms(options.head_norm != AttentionOptions::HeadNorm::None)
{
    const std::int64_t hidden = config.hidden_size;
    const std::int64_t q = std::int64_t{m_shape.heads} * m_shape.head_dim;
    const std::int64_t kv = std::int64_t{m_shape.kv_heads} * m_shape.head_dim;
    if (m_fused) {
        m_qkv_proj = weights.linear(prefix + options.fused_name, hidden, q + 2 * kv,
                                    options.qkv_bias, options.layout);
    } else {
        const std::int64_t dim = m_shape.head_dim;
        for (int head = 0; options.output_gate && head < m_shape.heads; ++head) {
            m_query_runs.push_back({.begin = 2 * head * dim, .count = dim});
            m_gate_runs.push_back({.begin = (2 * head + 1) * dim, .count = dim});
        }
        m_q_proj = weights.linear(prefix + "q_proj", hidden, options.output_gate ? 2 * q : q,
                                  options.qkv_bias);
        m_k_proj = weights.linear(prefix + "k_proj", hidden, kv, options.qkv_bias);
        m_v_proj = weights.linear(prefix + "v_proj", hidden, kv, options.qkv_bias);
    }
    if (m_head_norms) {
        m_q_norm = headNorm(weights, config, prefix + options.q_norm_name, m_shape.heads,
                            options.head_norm);
        m_k_norm = headNorm(weights, config, prefix + options.k_norm_name, m_shape.kv_heads,
                            options.head_norm);
    }
    m_o_proj = weights.linear(prefix + options.output_name, q, hidden, options.output_bias,
                              {.transposed = options.layout.transposed});
}

void SelfAttention::forward(Step& step, const Matrix& x, Matrix& out) const
{
    Ops& ops = step.ops;
    Workspace& ws = step.ws;
    if (m_fused) {
        step.component(Component::QkvProj, ws.qkv,
                       [&] { ops.linear(x, m_qkv_proj, ws.qkv); }); // [rows, (heads + 2 kv) dim]
        const std::int64_t qWidth = std::int64_t{m_shape.heads} * m_shape.head_dim;
        const std::int64_t kvWidth = std::int64_t{m_shape.kv_heads} * m_shape.head_dim;
        Matrix q = ws.qkv.slice(0, qWidth); // [rows, heads * dim]
        Matrix k = ws.qkv.slice(qWidth, kvWidth); // [rows, kv_heads * dim]
        const Matrix v = ws.qkv.slice(qWidth + kvWidth, kvWidth); // [rows, kv_heads * dim]
        attend(step, q, k, v);
    } else {
        if (m_gate_runs.empty()) {
            step.component(Component::QProj, ws.q,
                           [&] { ops.linear(x, m_q_proj, ws.q); }); // [rows, heads * dim]
        } else {
            projectGatedQueries(step, x);
        }
        step.component(Component::KProj, ws.k,
                       [&] { ops.linear(x, m_k_proj, ws.k); }); // [rows, kv_heads * dim]
        step.component(Component::VProj, ws.v,
                       [&] { ops.linear(x, m_v_proj, ws.v); }); // [rows, kv_heads * dim]
        attend(step, ws.q, ws.k, ws.v);
    }
    if (!m_gate_runs.empty()) {
        step.component(Component::OutputGate, ws.context, [&] {
            ops.activate(Activation::Sigmoid, ws.gate, &ws.context, ws.context);
        }); // [rows, heads * dim]
    }
    step.component(Component::OProj, out,
                   [&] { ops.linear(ws.context, m_o_proj, out); }); // [rows, hidden]
}

void SelfAttention::projectGatedQueries(Step& step, const Matrix& x) const
{
    Ops& ops = step.ops;
    Workspace& ws = step.ws;
    step.component(Component::QProj, ws.qkv, [&] {
        ops.linear(x, m_q_proj, ws.qkv); // [rows, heads * 2 dim]
        ops.pick(ws.qkv, m_query_runs, ws.q); // [rows, heads * dim]
        ops.pick(ws.qkv, m_gate_runs, ws.gate); // [rows, heads * dim]
    });
}

void SelfAttention::attend(Step& step, Matrix& q, Matrix& k, const Matrix& v) const
{
    Ops& ops = step.ops;
    if (m_head_norms) {
        normalizedHeads(step, Component::QNorm, q, m_q_norm, m_shape.heads);
        normalizedHeads(step, Component::KNorm, k, m_k_norm, m_shape.kv_heads);
    }
    step.component(Component::KvCache, v,
                   [&] { ops.store(k, v, m_shape, step.sequences, step.layer); });
    attended(step, q, m_shape, step.ws.angles[m_rope], step.ws.context); // [rows, heads * dim]
    if (step.entropies)
        (*step.entropies)[static_cast<std::size_t>(step.layer)] = entropiesOf(step, q);
}

std::vector<double> SelfAttention::entropiesOf(Step& step, const Matrix& q) const
{
    const SequenceRows& rows = step.sequences.back();
    const std::vector<float> weights = step.ops.attentionWeights(
        q, m_shape, rows, rows.first + rows.count - 1, step.layer); // [heads, keys]
    const std::size_t keys = weights.size() / static_cast<std::size_t>(m_shape.heads);
    std::vector<double> entropies(static_cast<std::size_t>(m_shape.heads));
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const auto weight = static_cast<double>(weights[i]);
        if (weight > 0.0)
            entropies[i / keys] -= weight * std::log(weight);
    }
    return entropies;
}

} // namespace ep::model
