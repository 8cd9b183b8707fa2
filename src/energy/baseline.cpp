// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/baseline.h"

#include "ep/energy/statistics.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace ep::energy {

namespace {

struct PowerSpread {
    Milliwatts mean;
    Milliwatts sd;
};

using PowerOf = std::function<std::optional<Milliwatts>(const PowerSample&)>;

// Mean power of the windows for which powerOf() returns one, weighted by time; absent if there are
// none.
std::optional<PowerSpread> spreadOf(const std::vector<const PowerSample*>& samples,
                                    const PowerOf& powerOf)
{
    double weight = 0.0;
    double mean = 0.0;
    double squares = 0.0; // squared deviations, by Welford's method
    for (const PowerSample* sample : samples) {
        const auto power = powerOf(*sample);
        if (!power)
            continue;
        const double seconds = toSeconds(sample->window.duration_ns());
        const double before = mean;
        weight += seconds;
        mean += (power->value - mean) * seconds / weight;
        squares += seconds * (power->value - before) * (power->value - mean);
    }
    if (!(weight > 0.0))
        return std::nullopt;
    // Equal powers can leave a rounding error below zero.
    return PowerSpread{{mean}, {std::sqrt(std::max(0.0, squares) / weight)}};
}

std::optional<Milliwatts> railPower(const PowerSample& sample, std::size_t rail)
{
    if (const auto& energy = sample.energy_mj.values[rail])
        return meanPower(*energy, sample.window.duration_ns());
    return sample.power_mw.values[rail];
}

// Sum over the baseline's rails; absent if the window lacks one of them.
std::optional<Milliwatts> totalPower(const PowerSample& sample, const PerRail<Milliwatts>& baseline)
{
    PerRail<Milliwatts> rails;
    for (std::size_t rail = 0; rail < kRailCount; ++rail) {
        rails.values[rail] = railPower(sample, rail);
        if (baseline.values[rail] && !rails.values[rail])
            return std::nullopt;
    }
    const auto total = totalOf(rails);
    return total ? total : sample.total_mw;
}

// Effective number of independent windows, since neighbouring windows are correlated.
double effectiveCount(const std::vector<double>& powers)
{
    constexpr double kMaxAlike = 0.97;
    const double rho = std::clamp(autocorrelation(powers), 0.0, kMaxAlike);
    return std::max(1.0, static_cast<double>(powers.size()) * (1.0 - rho) / (1.0 + rho));
}

} // namespace

std::optional<BaselineRecord> measureBaseline(std::span<const PowerSample> samples,
                                              const TimeRange& idle, Nanoseconds runBegin,
                                              BaselineMoment moment)
{
    std::vector<const PowerSample*> inside;
    BaselineRecord record;
    for (const PowerSample& sample : samples) {
        if (sample.window.empty() || !idle.contains(sample.window))
            continue;
        inside.push_back(&sample);
        record.duration_ns += sample.window.duration_ns();
    }
    if (inside.empty())
        return std::nullopt;
    record.moment = moment;
    record.samples = static_cast<std::int64_t>(inside.size());
    record.age_ns = std::max<Nanoseconds>(0, runBegin - inside.back()->window.end_ns);
    for (std::size_t rail = 0; rail < kRailCount; ++rail) {
        const auto spread =
            spreadOf(inside, [rail](const PowerSample& sample) { return railPower(sample, rail); });
        if (!spread)
            continue;
        record.power_mw.values[rail] = spread->mean;
        record.sd_mw.values[rail] = spread->sd;
    }
    std::vector<double> powers;
    const auto total = spreadOf(inside, [&](const PowerSample& sample) {
        const auto power = totalPower(sample, record.power_mw);
        if (power)
            powers.push_back(power->value);
        return power;
    });
    if (total) {
        record.total_mw = total->mean;
        record.total_sd_mw = total->sd;
        record.effective_samples = effectiveCount(powers);
    }
    return record;
}

std::optional<Millijoules> netDeviation(std::optional<Millijoules> grossSd, Nanoseconds duration,
                                        const std::optional<BaselineRecord>& baseline)
{
    // One window contains no information about the spread.
    if (!grossSd || !baseline || !baseline->total_sd_mw || baseline->samples < 2)
        return std::nullopt;
    const auto n = static_cast<double>(baseline->samples);
    const double effective = baseline->effective_samples.value_or(n);
    const Milliwatts ofMean = *baseline->total_sd_mw * std::sqrt(n / (n - 1.0) / effective);
    return Millijoules{std::hypot(grossSd->value, energyOf(ofMean, duration).value)};
}

PerRail<Millijoules> netRails(const PerRail<Millijoules>& gross, Nanoseconds duration,
                              const std::optional<BaselineRecord>& baseline)
{
    PerRail<Millijoules> net;
    for (std::size_t rail = 0; baseline && rail < kRailCount; ++rail) {
        net.values[rail] = netEnergy(gross.values[rail], duration,
                                     BaselineRecord{.total_mw = baseline->power_mw.values[rail]});
    }
    return net;
}

} // namespace ep::energy
