// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "step.h"
#include "weight_loader.h"

#include "ep/model/config.h"

#include <string>

namespace ep::model {

// Differences between families in how attention is parameterised.
struct AttentionOptions {
    bool qkv_bias = false;
    bool output_bias = false;
    bool fused_qkv = false; // one qkv_proj, rows in the order queries, keys, values
    const char* output_name = "o_proj";
};

// Grouped-query self-attention with rotary positions.
class SelfAttention {
public:
    SelfAttention(WeightLoader& weights, const ModelConfig& config, int layer,
                  const std::string& prefix, const AttentionOptions& options);

    void forward(Step& step, const Matrix& x, Matrix& out) const; // both [rows, hidden]

private:
    void attend(Step& step, Matrix& q, const Matrix& k, const Matrix& v) const;

    AttentionShape m_shape;
    bool m_fused = false;
    Linear m_q_proj;
    Linear m_k_proj;
    Linear m_v_proj;
    Linear m_qkv_proj;
    Linear m_o_proj;
};

} // namespace ep::model
