// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/short_convolution.h"

namespace ep::model {

ShortConvolution::ShortConvolution(WeightLoader& weights, const ModelConfig& config,
                                   const std::string& prefix)
    : m_hidden(config.hidden_size)
    , m_in(weights.linear(prefix + "in_proj", m_hidden, 3 * m_hidden, config.state.projection_bias))
    , m_convolution(convolution(weights, prefix + "conv", m_hidden, config.state.taps,
                                config.state.conv_bias))
    , m_out(weights.linear(prefix + "out_proj", m_hidden, m_hidden, config.state.output_bias))
{
}

void ShortConvolution::forward(Step& step, const Matrix& x, Matrix& out) const
{
    constexpr Component kConv1d = Component::Conv1d;
    Ops& ops = step.ops;
    Workspace& ws = step.ws;
    step.component(Component::InProj, ws.qkv,
                   [&] { ops.linear(x, m_in, ws.qkv); }); // [rows, 3 hidden]
    const Matrix before = ws.qkv.slice(0, m_hidden); // [rows, hidden], B
    const Matrix after = ws.qkv.slice(m_hidden, m_hidden); // [rows, hidden], C
    const Matrix inputs = ws.qkv.slice(2 * m_hidden, m_hidden); // [rows, hidden], x
    step.component(kConv1d, ws.convolved, [&] {
        step.operation(kConv1d, Operation::GateMultiply, ws.mixed,
                       [&] { ops.multiply(before, inputs, ws.mixed); }); // [rows, hidden]
        step.operation(kConv1d, Operation::Conv1d, ws.convolved, [&] {
            ops.convolve(ws.mixed, m_convolution, step.sequences, step.layer, ws.convolved);
        }); // [rows, hidden]
        step.operation(kConv1d, Operation::GateMultiply, ws.convolved,
                       [&] { ops.multiply(ws.convolved, after, ws.convolved); });
    });
    step.component(Component::OutProj, out,
                   [&] { ops.linear(ws.convolved, m_out, out); }); // [rows, hidden]
}

} // namespace ep::model
