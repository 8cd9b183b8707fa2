// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/layers.h"

#include "blocks/decomposed.h"

namespace ep::model {
namespace {

// x += factor * branch
void addBranch(Step& step, Matrix& x, Matrix& branch, float factor = 1.0F)
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

void OnePartLayer::forward(Step& step, Matrix& x) const
{
    Workspace& ws = step.ws;
    normalized(step, Component::InputLayernorm, x, m_norm, ws.normed); // [rows, hidden]
    if (m_mixer)
        m_mixer->forward(step, ws.normed, ws.branch); // [rows, hidden]
    else
        m_feed_forward->forward(step, ws.normed, ws.branch); // [rows, hidden]
    addBranch(step, x, ws.branch);
}

void PostNormLayer::forward(Step& step, Matrix& x) const
{
    Workspace& ws = step.ws;
    m_mixer->forward(step, x, ws.branch); // [rows, hidden]
    normalized(step, Component::PostAttentionLayernorm, ws.branch, m_post_attention_norm,
               ws.normed); // [rows, hidden]
    addBranch(step, x, ws.normed);

    m_feed_forward->forward(step, x, ws.branch); // [rows, hidden]
    normalized(step, Component::PostFeedforwardLayernorm, ws.branch, m_post_feedforward_norm,
               ws.normed); // [rows, hidden]
    addBranch(step, x, ws.normed);
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

void ExpertsBeside::forward(Step& step, const Matrix& x, Matrix& branch) const
{
    Workspace& ws = step.ws;
    normalized(step, Component::PostFeedforwardLayernorm1, branch, post_dense,
               ws.second_branch); // [rows, hidden]
    experts->route(step, x);
    normalized(step, Component::PreFeedforwardLayernorm2, x, pre_experts,
               ws.normed); // [rows, hidden]
    experts->runAll(step, ws.normed, branch); // [rows, hidden]
    normalized(step, Component::PostFeedforwardLayernorm2, branch, post_experts,
               ws.normed); // [rows, hidden]
    step.component(Component::Residual, branch, [&] {
        step.ops.clear(ws.normed, branch);
        step.ops.add(branch, ws.normed);
        step.ops.add(branch, ws.second_branch);
    });
}

void PerLayerInput::forward(Step& step, Matrix& x) const
{
    Ops& ops = step.ops;
    Workspace& ws = step.ws;
    step.component(Component::PerLayerInputGate, ws.gate, [&] {
        ops.linear(x, gate, ws.gate); // [rows, width]
    });
    const Matrix input = ws.layer_inputs.slice(step.layer * width, width); // [rows, width]
    step.component(Component::PerLayerProjection, ws.branch, [&] {
        ops.activate(activation, ws.gate, &input, ws.gate); // [rows, width]
        ops.linear(ws.gate, projection, ws.branch); // [rows, hidden]
    });
    normalized(step, Component::PostPerLayerInputNorm, ws.branch, norm, ws.normed);
    addBranch(step, x, ws.normed);
}

void SandwichLayer::forward(Step& step, Matrix& x) const
{
    Workspace& ws = step.ws;
    normalized(step, Component::InputLayernorm, x, m_norms.input, ws.normed); // [rows, hidden]
    m_mixer->forward(step, ws.normed, ws.branch); // [rows, hidden]
    normalized(step, Component::PostAttentionLayernorm, ws.branch, m_norms.post_attention,
               ws.normed);
    addBranch(step, x, ws.normed);

    normalized(step, Component::PreFeedforwardLayernorm, x, m_norms.pre_feedforward,
               ws.normed); // [rows, hidden]
    m_feed_forward->forward(step, ws.normed, ws.branch); // [rows, hidden]
    if (m_experts.experts)
        m_experts.forward(step, x, ws.branch);
    normalized(step, Component::PostFeedforwardLayernorm, ws.branch, m_norms.post_feedforward,
               ws.normed);
    addBranch(step, x, ws.normed);
    if (m_input.width > 0)
        m_input.forward(step, x);
    if (m_scalar)
        step.component(Component::Residual, x, [&] { step.ops.scale(x, *m_scalar); });
}

} // namespace ep::model
