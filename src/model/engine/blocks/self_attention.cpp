// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/self_attention.h"

#include <cmath>

namespace ep::model {

SelfAttention::SelfAttention(WeightLoader& weights, const ModelConfig& config, int layer,
                             const std::string& prefix, const AttentionOptions& options)
    : m_shape{.heads = config.num_attention_heads,
              .kv_heads = config.num_key_value_heads,
              .head_dim = config.head_dim,
              .rotary_dim = config.rotaryDim(),
              .scale = 1.0F / std::sqrt(static_cast<float>(config.head_dim)),
              .window = config.windowOf(layer)}
    , m_fused(options.fused_qkv)
{
    const std::int64_t hidden = config.hidden_size;
    const std::int64_t q = std::int64_t{m_shape.heads} * m_shape.head_dim;
    const std::int64_t kv = std::int64_t{m_shape.kv_heads} * m_shape.head_dim;
    if (m_fused) {
        m_qkv_proj = weights.linear(prefix + "qkv_proj", hidden, q + 2 * kv, options.qkv_bias);
    } else {
        m_q_proj = weights.linear(prefix + "q_proj", hidden, q, options.qkv_bias);
        m_k_proj = weights.linear(prefix + "k_proj", hidden, kv, options.qkv_bias);
        m_v_proj = weights.linear(prefix + "v_proj", hidden, kv, options.qkv_bias);
    }
    m_o_proj = weights.linear(prefix + options.output_name, q, hidden, options.output_bias);
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
        const Matrix k = ws.qkv.slice(qWidth, kvWidth); // [rows, kv_heads * dim]
        const Matrix v = ws.qkv.slice(qWidth + kvWidth, kvWidth); // [rows, kv_heads * dim]
        attend(step, q, k, v);
    } else {
        step.component(Component::QProj, ws.q,
                       [&] { ops.linear(x, m_q_proj, ws.q); }); // [rows, heads * dim]
        step.component(Component::KProj, ws.k,
                       [&] { ops.linear(x, m_k_proj, ws.k); }); // [rows, kv_heads * dim]
        step.component(Component::VProj, ws.v,
                       [&] { ops.linear(x, m_v_proj, ws.v); }); // [rows, kv_heads * dim]
        attend(step, ws.q, ws.k, ws.v);
    }
    step.component(Component::OProj, out,
                   [&] { ops.linear(ws.context, m_o_proj, out); }); // [rows, hidden]
}

void SelfAttention::attend(Step& step, Matrix& q, const Matrix& k, const Matrix& v) const
{
    step.component(Component::KvCache, v,
                   [&] { step.ops.store(k, v, m_shape, step.sequences, step.layer); });
    step.component(Component::Attention, step.ws.context, [&] {
        step.ops.attention(q, m_shape, step.ws.angles, step.sequences, step.layer,
                           step.ws.context); // [rows, heads * dim]
    });
}

} // namespace ep::model
