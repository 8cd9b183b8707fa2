// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/layers.h"

#include "blocks/decomposed.h"

namespace ep::model {
namespace {

// x += factor * branch
void addBranch(Step& step, Matrix& x, Matrix& branch, float factor)
{
    step.component(Component::Residual, x, [&] {
        if (factor != 1.0F)
            step.ops.scale(branch, factor);
        step.ops.add(x, branch);
    });
}

} // namespace

void PreNormLayer::forward(Step& step, Matrix& x) const
{
    Workspace& ws = step.ws;
    normalized(step, Component::InputLayernorm, x, m_input_norm, ws.normed); // [rows, hidden]
    m_mixer->forward(step, ws.normed, ws.branch); // [rows, hidden]
    addBranch(step, x, ws.branch, m_factor);

    normalized(step, Component::PostAttentionLayernorm, x, m_post_attention_norm,
               ws.normed); // [rows, hidden]
    m_feed_forward->forward(step, ws.normed, ws.branch); // [rows, hidden]
    addBranch(step, x, ws.branch, m_factor);
}

void ParallelLayer::forward(Step& step, Matrix& x) const
{
    Ops& ops = step.ops;
    Workspace& ws = step.ws;
    normalized(step, Component::InputLayernorm, x, m_input_norm, ws.normed); // [rows, hidden]
    m_mixer->forward(step, ws.normed, ws.branch); // [rows, hidden]
    if (m_mlp_norm)
        normalized(step, Component::PostAttentionLayernorm, x, *m_mlp_norm, ws.normed);
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
    normalized(step, Component::InputLayernorm, x, m_norms.input, ws.normed); // [rows, hidden]
    m_mixer->forward(step, ws.normed, ws.branch); // [rows, hidden]
    normalized(step, Component::PostAttentionLayernorm, ws.branch, m_norms.post_attention,
               ws.normed);
    step.component(Component::Residual, x, [&] { ops.add(x, ws.normed); });

    normalized(step, Component::PreFeedforwardLayernorm, x, m_norms.pre_feedforward,
               ws.normed); // [rows, hidden]
    m_feed_forward->forward(step, ws.normed, ws.branch); // [rows, hidden]
    normalized(step, Component::PostFeedforwardLayernorm, ws.branch, m_norms.post_feedforward,
               ws.normed);
    step.component(Component::Residual, x, [&] { ops.add(x, ws.normed); });
}

} // namespace ep::model
