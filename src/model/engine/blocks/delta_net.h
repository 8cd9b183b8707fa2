// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "blocks/mixer.h"
#include "blocks/state_weights.h"
#include "weight_loader.h"

#include "ep/model/config.h"

#include <string>
#include <vector>

namespace ep::model {

// Linear attention by the gated delta rule (Gated DeltaNet): queries, keys and values pass a short
// convolution; each value head has a state that decays, and takes up what it does not know yet.
class DeltaNet final : public MixerBlock {
public:
    // The projections are in_proj_qkv, _z, _b and _a, or in_proj_qkvz and _ba, whose rows are
    // ordered by key head.
    DeltaNet(WeightLoader& weights, const ModelConfig& config, const std::string& prefix);

    void forward(Step& step, const Matrix& x, Matrix& out) const override;

private:
    void loadProjections(WeightLoader& weights, std::int64_t hidden, const std::string& prefix);
    void project(Step& step, const Matrix& x) const;
    void applyRule(Step& step) const;

    StateSettings m_settings;
    StateShape m_shape;
    Linear m_qkv;
    Linear m_z;
    Linear m_qkvz; // either this, or the two above
    Linear m_b;
    Linear m_a;
    Linear m_ba; // or these two
    // Columns of each part of a fused projection.
    std::vector<ColumnRun> m_qkv_runs;
    std::vector<ColumnRun> m_z_runs;
    std::vector<ColumnRun> m_b_runs;
    std::vector<ColumnRun> m_a_runs;
    Convolution m_convolution;
    StateDecay m_decay;
    Norm m_q_norm; // scales to unit length; for queries, also by the root of key_dim
    Norm m_k_norm;
    GatedNorm m_norm;
    Linear m_out;
};

} // namespace ep::model
