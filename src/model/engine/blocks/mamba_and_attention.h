// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "blocks/mamba.h"
#include "blocks/mixer.h"
#include "blocks/self_attention.h"

#include <utility>

namespace ep::model {

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
