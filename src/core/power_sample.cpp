// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/power_sample.h"

#include <algorithm>
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
    if (durations.empty())
        return 0;
    const auto middle = durations.begin() + static_cast<std::ptrdiff_t>(durations.size() / 2);
    std::nth_element(durations.begin(), middle, durations.end());
    return *middle / kShare;
}

} // namespace ep
