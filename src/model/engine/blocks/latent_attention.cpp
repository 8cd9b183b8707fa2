// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/latent_attention.h"

#include "blocks/decomposed.h"
#include "blocks/self_attention.h"

#include <cstddef>
#include <utility>

namespace ep::model {
namespace {

constexpr double kLatentEpsilon = 1e-6; // for the norms in this block, whatever the config says

} // namespace

LatentAttentionBlock::LatentAttentionBlock(WeightLoader& weights, const ModelConfig& config,
                                           int layer, const std::string& prefix,
                                           const AttentionOptions& options)
    : m_sizes(*config.latent)
    , m_shape({.heads = config.num_attention_heads,
               .kv_heads = 1,
               .head_dim = m_sizes.keptKeys(),
               .rotary_dim = m_sizes.rotary_dim,
               .scale = static_cast<float>(config.attention_scale),
               .soft_cap = 0.0F,
               .window = config.windowOf(layer),
               .value_dim = m_sizes.rank,
               .interleaved = options.interleaved})
{
    const std::int64_t hidden = config.hidden_size;
    const std::int64_t heads = m_shape.heads;
    const std::int64_t queries = heads * m_sizes.queries();
    const bool bias = options.qkv_bias;
    if (m_sizes.query_rank == 0) {
        m_q_proj = weights.linear(prefix + "q_proj", hidden, queries, false);
    } else {
        m_q_a_proj = weights.linear(prefix + "q_a_proj", hidden, m_sizes.query_rank, bias);
        m_q_a_norm = weights.rmsNorm(prefix + "q_a_layernorm", m_sizes.query_rank, kLatentEpsilon);
        m_q_b_proj = weights.linear(prefix + "q_b_proj", m_sizes.query_rank, queries, false);
    }
    m_kv_a_proj = weights.linear(prefix + "kv_a_proj_with_mqa", hidden, m_sizes.keptKeys(), bias);
    m_kv_a_norm = weights.rmsNorm(prefix + "kv_a_layernorm", m_sizes.rank, kLatentEpsilon);
    readHeads(weights, prefix);
    m_o_proj = weights.linear(prefix + options.output_name, heads * m_sizes.value_dim, hidden,
                              options.output_bias);
}

// Files contain one matrix of keys and values for all heads, or two separate ones, in which the
// one for the keys is already transposed.
void LatentAttentionBlock::readHeads(WeightLoader& weights, const std::string& prefix)
{
    const std::int64_t heads = m_shape.heads;
    const std::int64_t plain = m_sizes.plain_dim;
    const std::int64_t values = m_sizes.value_dim;
    const std::int64_t rank = m_sizes.rank;
    const std::string keys = prefix + "embed_q.weight";
    const std::string unembedded = prefix + "unembed_out.weight";
    if (weights.has(keys)) {
        for (Weight& weight : weights.matrices(keys, heads, rank, plain))
            m_key_heads.push_back({std::move(weight), {}});
        for (Weight& weight : weights.matrices(unembedded, heads, values, rank))
            m_value_heads.push_back({std::move(weight), {}});
        return;
    }
    const at::Tensor all =
        weights.plain(prefix + "kv_b_proj.weight", heads * (plain + values), rank);
    for (std::int64_t head = 0; head < heads && all.defined(); ++head) {
        const at::Tensor own = all.narrow(0, head * (plain + values), plain + values);
        m_key_heads.push_back({weights.made(own.narrow(0, 0, plain).t(), keys), {}});
        m_value_heads.push_back({weights.made(own.narrow(0, plain, values), unembedded), {}});
    }
}

void LatentAttentionBlock::forward(Step& step, const Matrix& x, Matrix& out) const
{
    Ops& ops = step.ops;
    Workspace& ws = step.ws;
    projectQueries(step, x);
    step.component(Component::KvAProj, ws.k,
                   [&] { ops.linear(x, m_kv_a_proj, ws.k); }); // [rows, rank + rotary]
    const Matrix latent = ws.k.slice(0, m_sizes.rank); // [rows, rank]
    const Matrix turning = ws.k.slice(m_sizes.rank, m_sizes.rotary_dim); // [rows, rotary]
    normalized(step, Component::KvANorm, latent, m_kv_a_norm, ws.v); // [rows, rank]
    step.component(Component::KvBProj, ws.latent_queries, [&] { queriesToLatent(step); });
    step.component(Component::KvCache, ws.v, [&] {
        ops.room(ws.k, m_sizes.keptKeys(), ws.latent); // [rows, rotary + rank]
        ops.place(turning, ws.latent, 0);
        ops.place(ws.v, ws.latent, m_sizes.rotary_dim);
        ops.store(ws.latent, ws.v, m_shape, step.sequences, step.layer);
    });
    attended(step, ws.latent_queries, m_shape, ws.angles[0], ws.context); // [rows, heads * rank]
    if (step.entropies)
        (*step.entropies)[static_cast<std::size_t>(step.layer)] =
            entropiesOf(step, ws.latent_queries, m_shape);
    step.component(Component::KvBProj, ws.q, [&] { latentToValues(step); });
    step.component(Component::OProj, out,
                   [&] { ops.linear(ws.q, m_o_proj, out); }); // [rows, hidden]
}

void LatentAttentionBlock::projectQueries(Step& step, const Matrix& x) const
{
    Ops& ops = step.ops;
    Workspace& ws = step.ws;
    if (m_sizes.query_rank == 0) {
        step.component(Component::QProj, ws.q,
                       [&] { ops.linear(x, m_q_proj, ws.q); }); // [rows, heads * queries]
        return;
    }
    step.component(Component::QAProj, ws.qkv,
                   [&] { ops.linear(x, m_q_a_proj, ws.qkv); }); // [rows, query rank]
    normalized(step, Component::QANorm, ws.qkv, m_q_a_norm, ws.latent); // [rows, query rank]
    step.component(Component::QBProj, ws.q,
                   [&] { ops.linear(ws.latent, m_q_b_proj, ws.q); }); // [rows, heads * queries]
}

// Maps [rows, heads * (plain + rotary)] to [rows, heads * (rotary + rank)].
void LatentAttentionBlock::queriesToLatent(Step& step) const
{
    Ops& ops = step.ops;
    Workspace& ws = step.ws;
    ops.room(ws.q, m_shape.heads * std::int64_t{m_shape.head_dim}, ws.latent_queries);
    for (std::size_t head = 0; head < m_key_heads.size(); ++head) {
        const auto from = static_cast<std::int64_t>(head) * m_sizes.queries();
        const auto to = static_cast<std::int64_t>(head) * m_shape.head_dim;
        ops.linear(ws.q.slice(from, m_sizes.plain_dim), m_key_heads[head], ws.latent_head);
        ops.place(ws.q.slice(from + m_sizes.plain_dim, m_sizes.rotary_dim), ws.latent_queries, to);
        ops.place(ws.latent_head, ws.latent_queries, to + m_sizes.rotary_dim);
    }
}

// Maps [rows, heads * rank] to [rows, heads * values].
void LatentAttentionBlock::latentToValues(Step& step) const
{
    Ops& ops = step.ops;
    Workspace& ws = step.ws;
    ops.room(ws.context, m_shape.heads * std::int64_t{m_sizes.value_dim}, ws.q);
    for (std::size_t head = 0; head < m_value_heads.size(); ++head) {
        const auto index = static_cast<std::int64_t>(head);
        ops.linear(ws.context.slice(index * m_sizes.rank, m_sizes.rank), m_value_heads[head],
                   ws.latent_head);
        ops.place(ws.latent_head, ws.q, index * m_sizes.value_dim);
    }
}

} // namespace ep::model
