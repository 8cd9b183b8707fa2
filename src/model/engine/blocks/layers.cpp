// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/layers.h"

namespace ep::model {

void PreNormLayer::forward(Step& step, Matrix& x) const
{
    Ops& ops = step.ops;
    Workspace& ws = step.ws;
    step.component(Component::InputLayernorm, ws.normed,
                   [&] { ops.norm(x, m_input_norm, ws.normed); }); // [rows, hidden]
    m_attention.forward(step, ws.normed, ws.branch); // [rows, hidden]
    step.component(Component::Residual, x, [&] { ops.add(x, ws.branch); });

    step.component(Component::PostAttentionLayernorm, ws.normed,
                   [&] { ops.norm(x, m_post_attention_norm, ws.normed); }); // [rows, hidden]
    m_feed_forward->forward(step, ws.normed, ws.branch); // [rows, hidden]
    step.component(Component::Residual, x, [&] { ops.add(x, ws.branch); });
}

void ParallelLayer::forward(Step& step, Matrix& x) const
{
    Ops& ops = step.ops;
    Workspace& ws = step.ws;
    step.component(Component::InputLayernorm, ws.normed,
                   [&] { ops.norm(x, m_input_norm, ws.normed); }); // [rows, hidden]
    m_attention.forward(step, ws.normed, ws.branch); // [rows, hidden]
    if (m_mlp_norm) {
        step.component(Component::PostAttentionLayernorm, ws.normed,
                       [&] { ops.norm(x, *m_mlp_norm, ws.normed); }); // [rows, hidden]
    }
    m_feed_forward->forward(step, ws.normed, ws.second_branch); // [rows, hidden]
    step.component(Component::Residual, x, [&] {
        ops.add(x, ws.branch);
        ops.add(x, ws.second_branch);
    });
}

void SandwichLayer::forward(Step& step, Matrix& x) const
{
    Ops& ops = step.ops;
    Workspace& ws = step.ws;
    step.component(Component::InputLayernorm, ws.normed,
                   [&] { ops.norm(x, m_norms.input, ws.normed); }); // [rows, hidden]
    m_attention.forward(step, ws.normed, ws.branch); // [rows, hidden]
    step.component(Component::PostAttentionLayernorm, ws.normed,
                   [&] { ops.norm(ws.branch, m_norms.post_attention, ws.normed); });
    step.component(Component::Residual, x, [&] { ops.add(x, ws.normed); });

    step.component(Component::PreFeedforwardLayernorm, ws.normed,
                   [&] { ops.norm(x, m_norms.pre_feedforward, ws.normed); }); // [rows, hidden]
    m_feed_forward->forward(step, ws.normed, ws.branch); // [rows, hidden]
    step.component(Component::PostFeedforwardLayernorm, ws.normed,
                   [&] { ops.norm(ws.branch, m_norms.post_feedforward, ws.normed); });
    step.component(Component::Residual, x, [&] { ops.add(x, ws.normed); });
}

} // namespace ep::model
