// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/power_sample.h"

#include "ep/core/quantile.h"

#include <utility>
#include <vector>

namespace ep {

Nanoseconds timestampTolerance(std::span<const PowerSample> samples)
{
    constexpr Nanoseconds kShare = 10;
    std::vector<Nanoseconds> durations;
    durations.reserve(samples.size());
    for (const PowerSample& sample : samples) {
        if (!sample.window.empty())
            durations.push_back(sample.window.duration_ns());
    }
    return medianDuration(std::move(durations)) / kShare;
}

} // namespace ep
