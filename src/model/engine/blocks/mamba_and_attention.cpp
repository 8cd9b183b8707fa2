// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/mamba_and_attention.h"

#include "blocks/state_weights.h"

namespace ep::model {

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
