// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/cost.h"

#include "ep/core/enum_words.h"
#include "ep/core/known_energy.h"

namespace ep::viz {

std::string_view title(CostMetric metric)
{
    constexpr std::array<std::string_view, 3> kTitles{"Time", "Energy (gross)", "Energy (net)"};
    return wordOf(kTitles, metric);
}

std::string_view unit(CostMetric metric)
{
    return metric == CostMetric::Time ? "ms" : "mJ";
}

std::optional<double> valueOf(const Tally& cost, CostMetric metric,
                              std::optional<Milliwatts> baseline)
{
    if (metric == CostMetric::Time)
        return toMilliseconds(cost.duration_ns);
    if (!cost.energy_mj)
        return std::nullopt;
    if (metric == CostMetric::Energy)
        return cost.energy_mj->value;
    if (!baseline)
        return std::nullopt;
    return (*cost.energy_mj - energyOf(*baseline, cost.energy_duration_ns)).value;
}

std::optional<Milliwatts> baselineOf(const Run& run)
{
    return run.info.power.baseline ? run.info.power.baseline->total_mw : std::nullopt;
}

bool available(const Run& run, CostMetric metric)
{
    switch (metric) {
    case CostMetric::Time:
        return true;
    case CostMetric::Energy:
        return knownEnergy(run).energy_mj.has_value();
    case CostMetric::NetEnergy:
        break;
    }
    return knownEnergy(run).energy_mj && baselineOf(run);
}

} // namespace ep::viz
