// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/self_attention.h"

#include "blocks/decomposed.h"

#include <cmath>

namespace ep::model {
namespace {

AttentionShape shapeOf(const ModelConfig& config, int layer, const AttentionOptions& options)
{
    double scale =
        config.attention_scale > 0.0 ? config.attention_scale : 1.0 / std::sqrt(config.head_dim);
    if (config.scale_attn_by_layer)
        scale /= layer + 1;
    return {.heads = config.num_attention_heads,
            .kv_heads = config.kvHeads(layer),
            .head_dim = config.headDim(layer),
            .rotary_dim = options.rotary && config.rotates(layer) ? config.rotaryDim(layer) : 0,
            .scale = static_cast<float>(scale),
            .soft_cap = static_cast<float>(config.attn_logit_softcapping.value_or(0.0)),
            .window = config.windowOf(layer),
            .interleaved = options.interleaved,
            .own_keys = !config.sharesCache(layer),
            .query_growth = static_cast<float>(config.query_growth),
            .query_period = config.query_period};
}

Norm headNorm(WeightLoader& weights, const ModelConfig& config, const std::string& name, int heads,
              int dim, AttentionOptions::HeadNorm kind)
{
    using HeadNorm = AttentionOptions::HeadNorm;
    switch (kind) {
    case HeadNorm::Layer:
        return weights.layerNorm(name, dim, config.layer_norm_eps);
    case HeadNorm::LayerOfEachHead:
        return weights.layerNormOfHeads(name + ".norms.", heads, dim, config.layer_norm_eps);
    case HeadNorm::RmsPlusOne:
        return weights.rmsNormPlusOne(name, dim, config.rms_norm_eps);
    case HeadNorm::RmsOfAllHeads:
        return weights.rmsNorm(name, std::int64_t{heads} * dim, config.rms_norm_eps);
    case HeadNorm::Rms:
    case HeadNorm::None:
        break;
    }
    return weights.rmsNorm(name, dim, config.rms_norm_eps);
}

} // namespace

SelfAttention::SelfAttention(WeightLoader& weights, const ModelConfig& config, int layer,
                             const std::string& prefix, const AttentionOptions& options)
    : m_shape(shapeOf(config, layer, options))
    , m_rope(m_shape.window && config.local_rope ? 1 : 0)
    , m_fused(options.fused_name != nullptr)
    , m_head_norms(options.head_norm != AttentionOptions::HeadNorm::None)
    , m_norm_of_all(options.head_norm == AttentionOptions::HeadNorm::RmsOfAllHeads)
    , m_norm_after_rotation(options.norm_after_rotation && m_shape.rotary_dim > 0)
    , m_limit(static_cast<float>(config.qkv_limit))
    , m_value_norm(options.value_norm && m_shape.own_keys)
    , m_values_are_keys(config.valuesAreKeys(layer))
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
        if (m_shape.own_keys)
            m_k_proj = weights.linear(prefix + "k_proj", hidden, kv, options.qkv_bias);
        if (m_shape.own_keys && !m_values_are_keys)
            m_v_proj = weights.linear(prefix + "v_proj", hidden, kv, options.qkv_bias);
    }
    if (m_head_norms) {
        m_q_norm = headNorm(weights, config, prefix + options.q_norm_name, m_shape.heads,
                            m_shape.head_dim, options.head_norm);
    }
    if (m_head_norms && m_shape.own_keys) {
        m_k_norm = headNorm(weights, config, prefix + options.k_norm_name, m_shape.kv_heads,
                            m_shape.head_dim, options.head_norm);
    }
    if (m_value_norm)
        m_v_norm = weights.plainRmsNorm(m_shape.head_dim, config.rms_norm_eps);
    if (options.sinks_name) {
        const std::string sinks = prefix + options.sinks_name;
        m_shape.sinks =
            weights.vector(weights.has(sinks) ? sinks : sinks + ".weight", m_shape.heads);
    }
    // Files also contain keys and values of layers that reuse those of another layer.
    for (const std::string part : {"k_proj.", "v_proj.", "k_norm.", "v_norm."}) {
        if (!m_shape.own_keys)
            weights.leaveAside(prefix + part + "weight");
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
        Matrix v = ws.qkv.slice(qWidth + kvWidth, kvWidth); // [rows, kv_heads * dim]
        attend(step, q, k, v);
    } else {
        if (m_gate_runs.empty()) {
            step.component(Component::QProj, ws.q,
                           [&] { ops.linear(x, m_q_proj, ws.q); }); // [rows, heads * dim]
        } else {
            projectGatedQueries(step, x);
        }
        if (m_shape.own_keys) {
            step.component(Component::KProj, ws.k,
                           [&] { ops.linear(x, m_k_proj, ws.k); }); // [rows, kv_heads * dim]
        }
        if (m_shape.own_keys && !m_values_are_keys) {
            step.component(Component::VProj, ws.v,
                           [&] { ops.linear(x, m_v_proj, ws.v); }); // [rows, kv_heads * dim]
        }
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

void SelfAttention::attend(Step& step, Matrix& q, Matrix& k, Matrix& v) const
{
    Ops& ops = step.ops;
    const RotaryAngles& angles = step.ws.angles[m_rope];
    AttentionShape shape = m_shape;
    if (m_norm_after_rotation) {
        shape.rotary_dim = 0;
        rotatedFirst(step, q, k, m_shape, angles);
    }
    if (m_values_are_keys && m_shape.own_keys) { // taken before their norm
        ops.clear(k, v);
        ops.add(v, k);
    }
    if (m_head_norms)
        normalizedHeads(step, Component::QNorm, q, m_q_norm, m_norm_of_all ? 1 : m_shape.heads);
    if (m_head_norms && m_shape.own_keys)
        normalizedHeads(step, Component::KNorm, k, m_k_norm, m_norm_of_all ? 1 : m_shape.kv_heads);
    if (m_value_norm)
        normalizedHeads(step, Component::VNorm, v, m_v_norm, m_shape.kv_heads);
    if (m_shape.own_keys) {
        step.component(Component::KvCache, v, [&] {
            for (Matrix* const values : {&q, &k, &v}) {
                if (m_limit > 0.0F)
                    ops.clamp(*values, m_limit);
            }
            ops.store(k, v, m_shape, step.sequences, step.layer);
        });
    }
    attended(step, q, shape, angles, step.ws.context); // [rows, heads * dim]
    if (step.entropies)
        (*step.entropies)[static_cast<std::size_t>(step.layer)] = entropiesOf(step, q, m_shape);
}

std::vector<double> entropiesOf(Step& step, const Matrix& q, const AttentionShape& shape)
{
    const SequenceRows& rows = step.sequences.back();
    const std::vector<float> weights = step.ops.attentionWeights(
        q, shape, rows, rows.first + rows.count - 1, step.layer); // [heads, keys]
    const std::size_t keys = weights.size() / static_cast<std::size_t>(shape.heads);
    std::vector<double> entropies(static_cast<std::size_t>(shape.heads));
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const auto weight = static_cast<double>(weights[i]);
        if (weight > 0.0)
            entropies[i / keys] -= weight * std::log(weight);
    }
    return entropies;
}

} // namespace ep::model
