// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "step.h"

namespace ep::model {

// The position-wise half of a layer.
class FeedForward {
public:
    virtual ~FeedForward() = default;
    virtual void forward(Step& step, const Matrix& x, Matrix& out) const = 0; // [rows, hidden]
};

} // namespace ep::model
