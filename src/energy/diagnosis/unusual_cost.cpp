// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/unusual_cost.h"

#include "ep/core/format.h"
#include "ep/core/quantile.h"
#include "ep/energy/insights.h"

#include <algorithm>
#include <cmath>

namespace ep::energy {

namespace {

constexpr double kMinDifference = 0.1; // relative to the median
constexpr double kMaxUsualZ = 3.5; // Iglewicz and Hoaglin 1993
constexpr double kMadOfNormal = 0.6745; // MAD of a normal distribution, in standard deviations

std::size_t batchOf(const RunInfo& info)
{
    return std::max<std::size_t>(1, info.batch.size());
}

bool alike(const RunSummary& a, const RunSummary& b)
{
    return a.info.model.name == b.info.model.name && a.info.dtype == b.info.dtype
        && a.info.device == b.info.device && batchOf(a.info) == batchOf(b.info)
        && a.info.depth == b.info.depth && energyOrigin(a) == energyOrigin(b);
}

} // namespace

std::vector<const RunSummary*> runsLike(const RunSummary& run, const std::vector<RunSummary>& runs)
{
    std::vector<const RunSummary*> others;
    for (const RunSummary& other : runs) {
        if (other.info.id != run.info.id && other.info.status == RunStatus::Complete
            && other.metrics.joules_per_token && alike(run, other))
            others.push_back(&other);
    }
    return others;
}

std::optional<UnusualCost> unusualCostOf(const RunSummary& run, const std::vector<RunSummary>& runs)
{
    const auto& own = run.metrics.joules_per_token;
    if (!own || run.info.status != RunStatus::Complete)
        return std::nullopt;
    std::vector<double> others;
    for (const RunSummary* other : runsLike(run, runs))
        others.push_back(*other->metrics.joules_per_token);
    if (others.size() < kMinOthers)
        return std::nullopt;
    const double median = medianOf(others);
    std::vector<double> distances;
    for (const double other : others)
        distances.push_back(std::abs(other - median));
    const double distance = std::abs(*own - median);
    const double spread = medianOf(distances) / kMadOfNormal;
    if (!(median > 0.0) || distance < kMinDifference * median || distance <= kMaxUsualZ * spread)
        return std::nullopt;
    return UnusualCost{*own, median, std::ssize(others)};
}

Message lineOf(const UnusualCost& cost)
{
    return Message(
        "Unusual: %1 per token, %2 times the median of %3 other runs of this model and setting.",
        formatEnergy(Millijoules{cost.joules_per_token * kMillijoulesPerJoule}),
        formatSignificant(cost.ratio(), 2), cost.others);
}

Message lineOf(const UnusualPart& part)
{
    return {part.of_time ? "Unusual: %1 of the time went into %2, %3 times the share that FLOPs "
                           "and bytes predict."
                         : "Unusual: %1 of the energy went into %2, %3 times the share that FLOPs "
                           "and bytes predict.",
            formatPercent(part.share), part.phrase, formatSignificant(part.ratio(), 2)};
}

} // namespace ep::energy
