// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/block_power.h"

#include "ep/core/quantile.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace ep::energy {

namespace {

// Drops values that differ from the median by more than the scatter of the others explains.
void dropOutliers(std::vector<std::pair<double, double>>& powers, double middle, double scatter)
{
    constexpr double kOutlier = 6.0; // standard deviations
    constexpr double kMinScatter = 0.002; // of the middle; counter readings differ by 0 or 1 step
    const double most = kOutlier * std::max(scatter, kMinScatter * std::abs(middle));
    std::erase_if(powers, [&](const auto& power) { return std::abs(power.first - middle) > most; });
}

} // namespace

BlockPower powerIn(const EnergyTimeline& timeline, const TimeRange& time, double repetition)
{
    constexpr double kScatterOfMedian = 1.482602218505602; // normal distribution: deviation / MAD
    constexpr double kTrimmed = 0.1;
    std::vector<std::pair<double, double>> powers; // each with its duration
    const auto [first, last] = timeline.touching(time);
    for (std::size_t i = first; i < last; ++i) {
        const EnergyTimeline::Window& window = timeline.windows()[i];
        if (!time.contains(window.time) || !window.total_pj)
            continue;
        const double seconds = toSeconds(window.time.duration_ns());
        powers.emplace_back(toDouble(*window.total_pj)
                                / (kPicojoulesPerMillijoule * kMillijoulesPerJoule) / seconds,
                            seconds);
    }
    const auto windows = static_cast<int>(powers.size());
    if (powers.empty())
        return {};
    std::vector<double> values;
    double length = 0.0;
    for (const auto& [power, own] : powers) {
        values.push_back(power);
        length += own / static_cast<double>(windows);
    }
    const double middle = medianOf(values);
    for (double& value : values)
        value = std::abs(value - middle);
    const double scatter = kScatterOfMedian * medianOf(std::move(values));
    if (repetition <= length)
        dropOutliers(powers, middle, scatter);
    std::ranges::sort(powers);
    const auto cut = static_cast<std::size_t>(kTrimmed * static_cast<double>(powers.size()));
    double energy = 0.0;
    double seconds = 0.0;
    for (std::size_t i = cut; i + cut < powers.size(); ++i) {
        energy += powers[i].first * powers[i].second;
        seconds += powers[i].second;
    }
    return {seconds > 0.0 ? energy / seconds : 0.0,
            scatter / std::sqrt(static_cast<double>(windows)), windows};
}

} // namespace ep::energy
