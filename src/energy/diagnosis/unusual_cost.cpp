// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/unusual_cost.h"

#include "compare/properties.h"

#include "ep/core/format.h"
#include "ep/core/quantile.h"
#include "ep/core/token_ledger.h"
#include "ep/energy/insights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace ep::energy {

namespace {

constexpr double kMinDifference = 0.1; // relative to the median
constexpr double kMostOfLength = 2.0; // ratio of two lengths whose costs can still be compared

// Settings on which the cost of a token depends (titles of properties()).
constexpr std::array<std::string_view, 10> kCostSettings{
    "model", "dtype",   "engine",  "device",    "batch size",
    "depth", "threads", "machine", "attention", "cache"};

std::string settingsOf(const RunInfo& info)
{
    std::string key;
    for (const Property& property : properties()) {
        if (std::ranges::find(kCostSettings, property.title) != kCostSettings.end())
            key += property.keyOf(info) + '\x1e';
    }
    const TokenCounts counts = tokenCounts(info);
    return key + info.profiling.kernels + '\x1e' + counts.draft + '\x1e'
        + (counts.cached ? "prompt cache" : "");
}

bool similar(int a, int b, double most)
{
    return a > 0 && b > 0 && a <= most * b && b <= most * a;
}

// The cost of the other run with the lengths of this one, in J per output token: its prefill by
// input tokens, all else by output tokens. Absent unless the lengths are similar; where the energy
// of its prefill is unknown, they must be nearly equal.
std::optional<double> atLengthsOf(const RunInfo& info, const RunSummary& other)
{
    constexpr double kNearly = 1.1;
    const auto& perInput = other.metrics.joules_per_input_token;
    const double most = perInput ? kMostOfLength : kNearly;
    const bool noInput = info.input_tokens == 0 && other.info.input_tokens == 0;
    if (!(noInput || similar(info.input_tokens, other.info.input_tokens, most))
        || !similar(info.output_tokens, other.info.output_tokens, most))
        return std::nullopt;
    const double output = other.info.output_tokens;
    const double whole = *other.metrics.joules_per_token * output;
    const double prefill = perInput ? std::min(whole, *perInput * other.info.input_tokens) : 0.0;
    const double ofInput =
        perInput ? prefill * info.input_tokens / std::max(1, other.info.input_tokens) : 0.0;
    return (whole - prefill) / output + ofInput / info.output_tokens;
}

// Robust standard deviations from the median beyond which at most 2 % of ordinary runs lie: 3.5
// (Iglewicz and Hoaglin 1993) among many runs, more among few, whose scatter is not well known.
// From simulations of normal and log-normal costs among 5 to 50 others.
double mostUsual(std::size_t others)
{
    const auto n = static_cast<double>(others);
    return 3.5 + 1200.0 / (n * n * n);
}

} // namespace

std::vector<const RunSummary*> runsLike(const RunSummary& run, const std::vector<RunSummary>& runs)
{
    std::vector<const RunSummary*> others;
    const std::string settings = settingsOf(run.info);
    for (const RunSummary& other : runs) {
        if (other.info.id != run.info.id && other.info.status == RunStatus::Complete
            && other.metrics.joules_per_token && energyOrigin(run) == energyOrigin(other)
            && atLengthsOf(run.info, other) && settingsOf(other.info) == settings)
            others.push_back(&other);
    }
    return others;
}

std::optional<UnusualCost> unusualCostOf(const RunSummary& run, const std::vector<RunSummary>& runs)
{
    const auto& own = run.metrics.joules_per_token;
    if (!own || !(*own > 0.0) || run.info.status != RunStatus::Complete)
        return std::nullopt;
    std::vector<double> others; // logarithms, so that half and double are equally far
    for (const RunSummary* other : runsLike(run, runs)) {
        if (const auto cost = atLengthsOf(run.info, *other); *cost > 0.0)
            others.push_back(std::log(*cost));
    }
    if (others.size() < kMinOthers)
        return std::nullopt;
    const double median = medianOf(others);
    std::vector<double> distances;
    for (const double other : others)
        distances.push_back(std::abs(other - median));
    const double usual = std::exp(median);
    const double spread = robustSd(distances);
    if (std::abs(*own - usual) < kMinDifference * usual
        || std::abs(std::log(*own) - median) <= mostUsual(others.size()) * spread)
        return std::nullopt;
    return UnusualCost{*own, usual, std::ssize(others)};
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
