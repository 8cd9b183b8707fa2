// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "blocks/mixer.h"
#include "families/family_shape.h"
#include "step.h"
#include "weight_loader.h"

#include "ep/model/config.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ep::model {

// Grouped-query self-attention: softmax(cap(q k^T * scale) + mask) v. With an output gate, the
// query projection also yields one gate per value of each head, whose sigmoids multiply the head's
// output.
class SelfAttention final : public MixerBlock {
public:
    SelfAttention(WeightLoader& weights, const ModelConfig& config, int layer,
                  const std::string& prefix, const AttentionOptions& options);

    void forward(Step& step, const Matrix& x, Matrix& out) const override; // both [rows, hidden]

private:
    void projectGatedQueries(Step& step, const Matrix& x) const;
    void attend(Step& step, Matrix& q, Matrix& k, Matrix& v) const;

    AttentionShape m_shape;
    std::size_t m_rope = 0; // index of the rotation
    bool m_fused = false;
    bool m_head_norms = false;
    // With an output gate: which columns are queries, and which are gates.
    std::vector<ColumnRun> m_query_runs;
    std::vector<ColumnRun> m_gate_runs;
    bool m_norm_of_all = false; // normalises all heads as one
    bool m_norm_after_rotation = false;
    float m_limit = 0.0F; // limit of queries, keys and values; 0: none
    bool m_value_norm = false;
    bool m_values_are_keys = false;
    Linear m_q_proj;
    Linear m_k_proj;
    Linear m_v_proj;
    Linear m_qkv_proj;
    Linear m_o_proj;
    Norm m_q_norm;
    Norm m_k_norm;
    Norm m_v_norm;
};

// Entropy in nats of the attention weights of the step's last row, per head.
std::vector<double> entropiesOf(Step& step, const Matrix& q, const AttentionShape& shape);

} // namespace ep::model
