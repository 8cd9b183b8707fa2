// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kernels.h"

#include "ep/core/activation_stats.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace ep::model {

// Row `index` of `sampled` rows that are spread evenly over `rows`; always includes the last row.
inline std::int64_t sampledRow(std::int64_t index, std::int64_t sampled, std::int64_t rows)
{
    return (index + 1) * rows / sampled - 1;
}

inline ActivationStats statsOf(const ValueSums& sums)
{
    const double share = 1.0 / static_cast<double>(sums.count);
    const double mean = sums.shifted_sum * share;
    const double variance = sums.shifted_square_sum * share - mean * mean;
    return {.mean_abs = static_cast<float>(sums.abs_sum * share),
            .std = static_cast<float>(std::sqrt(std::max(0.0, variance))),
            .max_abs = sums.max_abs,
            .sparsity = static_cast<float>(static_cast<double>(sums.below) * share)};
}

} // namespace ep::model
