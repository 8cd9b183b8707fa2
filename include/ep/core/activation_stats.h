// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ep {

// One pass over a component's output.
struct ActivationStats {
    float mean_abs = 0.0F; // mean of |x|
    float std = 0.0F; // population standard deviation of x
    float max_abs = 0.0F; // max of |x|
    float sparsity = 0.0F; // share with |x| below the run's threshold, 0..1

    bool operator==(const ActivationStats&) const = default;
};

} // namespace ep
