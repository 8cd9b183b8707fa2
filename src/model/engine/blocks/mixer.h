// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "step.h"

namespace ep::model {

// The half of a layer in which positions get information from earlier ones: attention, or a mixer
// with a state.
class MixerBlock {
public:
    virtual ~MixerBlock() = default;
    virtual void forward(Step& step, const Matrix& x, Matrix& out) const = 0; // [rows, hidden]
};

// The position-wise half of a layer.
class FeedForward {
public:
    virtual ~FeedForward() = default;
    virtual void forward(Step& step, const Matrix& x, Matrix& out) const = 0; // [rows, hidden]
};

} // namespace ep::model
