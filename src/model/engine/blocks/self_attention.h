// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "step.h"
#include "weight_loader.h"

#include "ep/model/config.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ep::model {

// Differences between families in how attention is parameterised.
struct AttentionOptions {
    bool qkv_bias = false;
    bool output_bias = false;
    // A fused projection for queries, keys and values, with rows in that order unless the layout
    // says otherwise. Null: separate projections.
    const char* fused_name = nullptr;
    LinearLayout layout{}; // layout of the fused and the output projection
    const char* output_name = "o_proj";
    // Norm of each head of queries and keys, before rotation.
    enum class HeadNorm : std::uint8_t { None, Rms, RmsPlusOne, Layer, LayerOfEachHead };
    HeadNorm head_norm = HeadNorm::None;
    const char* q_norm_name = "q_norm";
    const char* k_norm_name = "k_norm";
    bool rotary = true;
};

// Grouped-query self-attention: softmax(cap(q k^T * scale) + mask) v.
class SelfAttention {
public:
    SelfAttention(WeightLoader& weights, const ModelConfig& config, int layer,
                  const std::string& prefix, const AttentionOptions& options);

    void forward(Step& step, const Matrix& x, Matrix& out) const; // both [rows, hidden]

private:
    void attend(Step& step, Matrix& q, Matrix& k, const Matrix& v) const;
    std::vector<double> entropiesOf(Step& step, const Matrix& q) const; // per head

    AttentionShape m_shape;
    std::size_t m_rope = 0; // index of the rotation
    bool m_fused = false;
    bool m_head_norms = false;
    Linear m_q_proj;
    Linear m_k_proj;
    Linear m_v_proj;
    Linear m_qkv_proj;
    Linear m_o_proj;
    Norm m_q_norm;
    Norm m_k_norm;
};

} // namespace ep::model
