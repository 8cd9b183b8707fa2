// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "blocks/mixer.h"
#include "blocks/self_attention.h"
#include "blocks/state_weights.h"
#include "weight_loader.h"

#include "ep/model/config.h"

#include <string>
#include <utility>

namespace ep::model {

// Mamba-2: in_proj gives a gate, x, B and C, and the time step of each head. x, B and C pass
// through a short convolution; each head's state decays with time, takes up x under the key B, and
// is read by C.
class Mamba final : public MixerBlock {
public:
    Mamba(WeightLoader& weights, const ModelConfig& config, const std::string& prefix);

    void forward(Step& step, const Matrix& x, Matrix& out) const override;

private:
    void scan(Step& step, Matrix& steps) const;

    StateSettings m_settings;
    StateShape m_shape;
    Linear m_in;
    Convolution m_convolution;
    StateDecay m_decay;
    GatedNorm m_norm;
    Linear m_out;
};

// Falcon-H1: a Mamba mixer and attention read the same input; their outputs are added.
class MambaAndAttention final : public MixerBlock {
public:
    MambaAndAttention(Mamba mamba, SelfAttention attention, const BranchFactors& factors)
        : m_mamba(std::move(mamba))
        , m_attention(std::move(attention))
        , m_in(factors.attention_in)
        , m_out(static_cast<float>(factors.attention_out))
    {
    }
    void forward(Step& step, const Matrix& x, Matrix& out) const override;

private:
    Mamba m_mamba;
    SelfAttention m_attention;
    double m_in; // factors of attention's input and output
    float m_out;
};

} // namespace ep::model
