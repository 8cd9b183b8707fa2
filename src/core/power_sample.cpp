// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/power_sample.h"

#include "ep/core/quantile.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ep {

std::optional<Milliwatts> powerOf(const PowerSample& sample, Rail rail)
{
    if (const auto& power = sample.power_mw[rail])
        return power;
    const auto& energy = sample.energy_mj[rail];
    return energy && !sample.window.empty()
        ? std::optional(meanPower(*energy, sample.window.duration_ns()))
        : std::nullopt;
}

std::optional<Milliwatts> totalPowerOf(const PowerSample& sample)
{
    if (sample.total_mw)
        return sample.total_mw;
    if (const auto power = totalOf(sample.power_mw))
        return power;
    const auto energy = totalOf(sample.energy_mj);
    return energy && !sample.window.empty()
        ? std::optional(meanPower(*energy, sample.window.duration_ns()))
        : std::nullopt;
}

PowerSample completed(PowerSample sample)
{
    for (std::size_t i = 0; i < kRailCount; ++i) {
        if (const auto& energy = sample.energy_mj.values[i])
            sample.power_mw.values[i] = meanPower(*energy, sample.window.duration_ns());
    }
    sample.total_mw = totalOf(sample.power_mw);
    sample.arrival_ns = sample.window.end_ns;
    return sample;
}

PowerSample withoutTotal(PowerSample sample)
{
    sample.total_mw.reset();
    return sample;
}

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
