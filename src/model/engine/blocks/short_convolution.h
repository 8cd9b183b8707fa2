// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "blocks/mixer.h"
#include "blocks/state_weights.h"
#include "weight_loader.h"

#include "ep/model/config.h"

#include <cstdint>
#include <string>

namespace ep::model {

// The gated short convolution of LFM2: in_proj gives B, C and x of each position, and
// out_proj(C * convolution(B * x)) is added to the stream.
class ShortConvolution final : public MixerBlock {
public:
    ShortConvolution(WeightLoader& weights, const ModelConfig& config, const std::string& prefix);

    void forward(Step& step, const Matrix& x, Matrix& out) const override;

private:
    std::int64_t m_hidden;
    Linear m_in;
    Convolution m_convolution;
    Linear m_out;
};

} // namespace ep::model
