// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/viz/axis.h"

#include <algorithm>
#include <cmath>

namespace ep::viz {

// The first and the last multiple of `step` inside [low, high]; none when first > last.
struct TickMultiples {
    long long first = 0;
    long long last = -1;
};

inline TickMultiples multiplesWithin(double low, double high, double step)
{
    constexpr double kRounding = 1e-6;
    return {static_cast<long long>(std::ceil(low / step - kRounding)),
            static_cast<long long>(std::floor(high / step + kRounding))};
}

// Returns niceStep() for at most `most` steps, or the largest finer step that has two multiples
// between `low` and `high`, since a single tick shows no scale. 0 when the range is empty.
inline double tickStep(double low, double high, int most)
{
    constexpr int kEnough = 8; // steps in a range: two multiples lie in it, wherever it begins
    for (int count = std::max(1, most);; ++count) {
        const double step = niceStep(high - low, count);
        if (!(step > 0.0) || count >= std::max(kEnough, most))
            return step;
        const TickMultiples inside = multiplesWithin(low, high, step);
        if (inside.last > inside.first)
            return step;
    }
}

} // namespace ep::viz
