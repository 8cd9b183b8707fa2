// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "naive_math.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace ep::test {

// Phi-3.5 MoE: the best expert, weighted by a softmax over the experts with similar scores; then
// the same again without it, where "similar" is relative to the second best.
inline std::vector<std::pair<std::size_t, double>> naiveSparseMixer(const NaiveRow& scores,
                                                                    double jitter)
{
    constexpr double kNever = -std::numeric_limits<double>::infinity();
    std::vector<std::pair<std::size_t, double>> chosen;
    NaiveRow left = scores;
    for (int round = 0; round < 2; ++round) {
        const auto best = std::max_element(left.begin(), left.end());
        const double most = *best;
        NaiveRow near = left;
        for (std::size_t i = 0; i < near.size(); ++i) {
            const double scale = std::max(std::abs(scores[i]), most);
            if ((most - scores[i]) / scale > 2.0 * jitter)
                near[i] = kNever;
        }
        const auto index = static_cast<std::size_t>(best - left.begin());
        chosen.emplace_back(index, naiveSoftmax(near)[index]);
        left[index] = kNever;
    }
    return chosen;
}

} // namespace ep::test
