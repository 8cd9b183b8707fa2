// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/cost.h"

#include <algorithm>

namespace ep::viz {

std::string_view title(CostMetric metric)
{
    switch (metric) {
    case CostMetric::Time:
        return "Time";
    case CostMetric::Energy:
        return "Energy (gross)";
    case CostMetric::NetEnergy:
        break;
    }
    return "Energy (net)";
}

std::string_view unit(CostMetric metric)
{
    return metric == CostMetric::Time ? "ms" : "mJ";
}

void Cost::add(const Cost& other)
{
    const bool first = duration_ns == 0 && !energy_mj;
    duration_ns += other.duration_ns;
    if (!other.energy_mj) {
        partial = partial || energy_mj.has_value() || other.duration_ns > 0;
        sd_mj.reset();
        return;
    }
    sd_mj = first ? other.sd_mj : std::nullopt;
    partial = partial || other.partial || (!first && !energy_mj);
    provenance = energy_mj ? std::max(provenance, other.provenance) : other.provenance;
    energy_mj = energy_mj.value_or(Millijoules{}) + *other.energy_mj;
    energy_duration_ns += other.energy_duration_ns;
}

Cost Cost::operator-(const Cost& parts) const
{
    Cost rest;
    rest.duration_ns = std::max<Nanoseconds>(0, duration_ns - parts.duration_ns);
    rest.partial = partial || parts.partial;
    if (energy_mj && (parts.energy_mj || parts.duration_ns == 0)) {
        rest.energy_mj = *energy_mj - parts.energy_mj.value_or(Millijoules{});
        rest.energy_duration_ns =
            std::max<Nanoseconds>(0, energy_duration_ns - parts.energy_duration_ns);
        rest.provenance = parts.energy_mj ? std::max(provenance, parts.provenance) : provenance;
    }
    return rest;
}

Cost costOf(const TimeRange& time, const EnergyValue& energy)
{
    Cost cost;
    cost.duration_ns = std::max<Nanoseconds>(0, time.duration_ns());
    if (energy.total_mj) {
        cost.energy_mj = energy.total_mj;
        cost.energy_duration_ns = cost.duration_ns;
        cost.provenance = energy.provenance;
        cost.sd_mj = energy.sd_mj;
    }
    return cost;
}

Cost costOf(const SpanSum& sum, Provenance ofToken)
{
    Cost cost;
    cost.duration_ns = sum.duration_ns;
    if (sum.energy_mj) {
        cost.energy_mj = sum.energy_mj;
        cost.energy_duration_ns = sum.energy_duration_ns;
        cost.provenance = std::max(ofToken, Provenance::Attributed);
        cost.partial = sum.partial();
    }
    return cost;
}

std::optional<double> valueOf(const Cost& cost, CostMetric metric,
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
        return run.metrics.energy.total_mj.has_value();
    case CostMetric::NetEnergy:
        break;
    }
    return run.metrics.energy.total_mj.has_value() && baselineOf(run).has_value();
}

} // namespace ep::viz
