// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/power/late_readings.h"

#include "ep/power/polled_source.h"

#include <algorithm>
#include <limits>

namespace ep::power {

void foldLateReadings(std::vector<PowerSample>& samples)
{
    std::vector<PowerSample> late;
    Nanoseconds latest = std::numeric_limits<Nanoseconds>::min();
    std::erase_if(samples, [&](const PowerSample& sample) {
        const bool isLate = sample.window.begin_ns < latest;
        if (isLate)
            late.push_back(sample);
        latest = std::max(latest, sample.window.begin_ns);
        return isLate;
    });
    for (const PowerSample& one : late) {
        for (PowerSample& sample : samples) {
            const Nanoseconds both = intersection(sample.window, one.window).duration_ns();
            if (both <= 0)
                continue;
            const double share =
                static_cast<double>(both) / static_cast<double>(one.window.duration_ns());
            bool changed = false;
            for (std::size_t rail = 0; rail < kRailCount; ++rail) {
                const auto& energy = one.energy_mj.values[rail];
                if (!energy)
                    continue;
                auto& sum = sample.energy_mj.values[rail];
                sum = Millijoules{sum.value_or(Millijoules{}).value + energy->value * share};
                changed = true;
            }
            if (changed) {
                const Nanoseconds arrival = sample.arrival_ns;
                sample = completed(sample);
                sample.arrival_ns = arrival;
            }
        }
    }
}

} // namespace ep::power
