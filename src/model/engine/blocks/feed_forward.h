// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "step.h"

namespace ep::model {

// The half of a layer that looks at one position at a time.
class FeedForward {
public:
    virtual ~FeedForward() = default;
    virtual void forward(Step& step, const Matrix& x, Matrix& out) const = 0; // [rows, hidden]
};

} // namespace ep::model
