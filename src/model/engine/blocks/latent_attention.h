// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "blocks/mixer.h"
#include "families/family_shape.h"
#include "weight_loader.h"

#include "ep/model/config.h"

#include <string>
#include <vector>

namespace ep::model {

// Multi-head latent attention (DeepSeek). The cache holds one latent vector per position, shared by
// all heads, and the rotated part of the keys. Instead of expanding every latent into keys and
// values, the expanding projection is applied to the queries and to the attention's output: all
// heads attend to the same keys [rotated part, latent], and the latents are the values.
class LatentAttentionBlock final : public MixerBlock {
public:
    LatentAttentionBlock(WeightLoader& weights, const ModelConfig& config, int layer,
                         const std::string& prefix, const AttentionOptions& options);

    void forward(Step& step, const Matrix& x, Matrix& out) const override; // both [rows, hidden]

private:
    void readHeads(WeightLoader& weights, const std::string& prefix);
    void projectQueries(Step& step, const Matrix& x) const;
    void queriesToLatent(Step& step) const;
    void latentToValues(Step& step) const;

    LatentAttention m_sizes;
    AttentionShape m_shape;
    Linear m_q_proj; // a single projection, or two of low rank
    Linear m_q_a_proj;
    Norm m_q_a_norm;
    Linear m_q_b_proj;
    Linear m_kv_a_proj; // [rank + rotary, hidden]
    Norm m_kv_a_norm;
    std::vector<Linear> m_key_heads; // [rank, plain] for each head
    std::vector<Linear> m_value_heads; // [value, rank] for each head
    Linear m_o_proj;
};

} // namespace ep::model
