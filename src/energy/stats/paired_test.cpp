// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/paired_test.h"

#include "stats/paired_bets.h"

#include "ep/core/quantile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace ep::energy {

namespace {

// Logarithm of the wealth of the bets on one side against one centre, over all the pairs given.
double logAgainst(double centre, double side, std::span<const PairedRatio> pairs,
                  std::span<const KnownOfPairs> known, const PairedTestOptions& options)
{
    PairBet bet(centre, side, options);
    for (std::size_t i = 0; i < pairs.size(); ++i)
        bet.add(pairs[i], known[i]);
    return bet.logValue();
}

struct PairHistory {
    std::vector<KnownOfPairs> known; // before each pair
    KnownOfPairs after;
};

PairHistory pairHistory(std::span<const PairedRatio> pairs)
{
    PairHistory history;
    PairMemory memory;
    for (const PairedRatio& pair : pairs) {
        history.known.push_back(memory.known());
        memory.add(pair);
    }
    history.after = memory.known();
    return history;
}

// One measurement and what was known before each of its pairs.
struct PairSeries {
    std::span<const PairedRatio> pairs;
    PairHistory history;
};

// The bets of independent measurements on one centre multiply.
double logAgainst(double centre, double side, std::span<const PairSeries> all,
                  const PairedTestOptions& options)
{
    double sum = 0.0;
    for (const PairSeries& one : all)
        sum += logAgainst(centre, side, one.pairs, one.history.known, options);
    return sum;
}

// The end of the interval on one side of the estimate: where the bets no longer succeed.
double intervalEnd(double estimate, double side, std::span<const PairSeries> all,
                   const PairedTestOptions& options)
{
    const double goal = std::log(2.0 / options.interval_error);
    const auto refuted = [&](double distance) {
        return logAgainst(estimate - side * distance, side, all, options) >= goal;
    };
    double inside = 0.0;
    double outside = kMinSpread;
    for (const PairSeries& one : all)
        outside = std::max(
            outside, one.history.after.spread / std::sqrt(static_cast<double>(one.pairs.size())));
    constexpr double kWidest = 50.0; // largest log ratio: no limit
    while (!refuted(outside)) {
        inside = outside;
        outside *= 2.0;
        if (outside > kWidest)
            return -side * std::numeric_limits<double>::infinity();
    }
    constexpr int kHalvings = 40;
    for (int i = 0; i < kHalvings; ++i) {
        const double middle = (inside + outside) / 2.0;
        (refuted(middle) ? outside : inside) = middle;
    }
    return estimate - side * outside;
}

Interval intervalAround(double estimate, std::span<const PairSeries> all,
                        const PairedTestOptions& options)
{
    return {.low = std::exp(intervalEnd(estimate, 1.0, all, options)),
            .high = std::exp(intervalEnd(estimate, -1.0, all, options))};
}

double pairCentre(const PairSeries& series)
{
    // Removes the drift, as far as the pairs so far show it.
    std::vector<double> values;
    for (const PairedRatio& pair : series.pairs)
        values.push_back(pair.log_ratio - signOf(pair.order) * series.history.after.drift);
    const double median = medianOf(values);
    const double most = 2.0 * series.history.after.spread;
    double sum = 0.0;
    for (const double value : values)
        sum += std::clamp(value - median, -most, most);
    return median + sum / static_cast<double>(values.size());
}

PairedEstimate pairEstimate(const PairSeries& series, const PairedTestOptions& options)
{
    const double centre = pairCentre(series);
    PairedEstimate estimate{.ratio = std::exp(centre)};
    if (static_cast<std::int64_t>(series.pairs.size()) >= kMinPairs)
        estimate.interval = intervalAround(centre, std::span(&series, 1), options);
    return estimate;
}

} // namespace

std::string_view name(PairedVerdict verdict)
{
    constexpr std::array<std::string_view, 4> kNames{"unknown", "a_cheaper", "b_cheaper",
                                                     "no_difference"};
    return kNames.at(static_cast<std::size_t>(verdict));
}

PairedEstimate estimatePairs(std::span<const PairedRatio> pairs, const PairedTestOptions& options)
{
    return pairEstimate({pairs, pairHistory(pairs)}, options);
}

PairedResult decidePairs(std::span<const PairedRatio> pairs, const PairedTestOptions& options)
{
    const double matters = std::log1p(options.smallest_difference);
    PairBet above(0.0, 1.0, options); // bets that a is more expensive than b
    PairBet below(0.0, -1.0, options);
    PairBet notMuchMore(matters, -1.0, options);
    PairBet notMuchLess(-matters, 1.0, options);
    const double signGoal = std::log(2.0 / options.sign_error);
    const double intervalGoal = std::log(2.0 / options.interval_error);
    PairMemory memory;
    PairedResult result;
    for (const PairedRatio& pair : pairs) {
        const KnownOfPairs known = memory.known();
        for (PairBet* bet : {&above, &below, &notMuchMore, &notMuchLess})
            bet->add(pair, known);
        memory.add(pair);
        if (++result.pairs_used < kMinPairs)
            continue;
        if (notMuchMore.logValue() >= intervalGoal && notMuchLess.logValue() >= intervalGoal)
            result.verdict = PairedVerdict::NoDifference;
        else if (below.logValue() >= signGoal)
            result.verdict = PairedVerdict::ACheaper;
        else if (above.logValue() >= signGoal)
            result.verdict = PairedVerdict::BCheaper;
        if (result.verdict != PairedVerdict::Unknown)
            break;
    }
    const auto used = pairs.first(static_cast<std::size_t>(result.pairs_used));
    const PairSeries series{used, pairHistory(used)};
    result.estimate = pairEstimate(series, options);
    if (result.verdict != PairedVerdict::Unknown || result.pairs_used < kMinPairs)
        return result;
    // Predicts the verdict that would come first, from the expected gain of a bet with each pair.
    const double centre = std::log(result.estimate.ratio);
    const auto pairsFor = [&](double distance, double missing) {
        const double variance = series.history.after.spread * series.history.after.spread;
        const double clear = std::max(distance - matters / 2.0, matters / 8.0);
        return missing / std::min(std::log(2.0), matters * clear / variance);
    };
    const double sign =
        pairsFor(std::abs(centre), signGoal - (centre > 0.0 ? above : below).logValue());
    const double none =
        pairsFor(matters - std::abs(centre),
                 intervalGoal - std::min(notMuchMore.logValue(), notMuchLess.logValue()));
    constexpr double kMax = 1e6;
    result.pairs_needed =
        static_cast<std::int64_t>(std::ceil(std::clamp(std::min(sign, none), 1.0, kMax)));
    return result;
}

PairedResult poolPairs(std::span<const std::vector<PairedRatio>> measurements,
                       const PairedTestOptions& options)
{
    std::vector<PairSeries> all;
    PairedResult result;
    double weights = 0.0;
    double sum = 0.0;
    for (const std::vector<PairedRatio>& pairs : measurements) {
        if (pairs.empty())
            continue;
        const PairSeries& series = all.emplace_back(PairSeries{pairs, pairHistory(pairs)});
        const double spread = series.history.after.spread;
        const double weight = static_cast<double>(pairs.size()) / (spread * spread);
        weights += weight;
        sum += weight * pairCentre(series);
        result.pairs_used += static_cast<std::int64_t>(pairs.size());
    }
    if (all.empty())
        return result;
    const double centre = sum / weights;
    result.estimate.ratio = std::exp(centre);
    if (result.pairs_used < kMinPairs)
        return result;
    result.estimate.interval = intervalAround(centre, all, options);
    const double matters = std::log1p(options.smallest_difference);
    const double signGoal = std::log(2.0 / options.sign_error);
    const double intervalGoal = std::log(2.0 / options.interval_error);
    if (logAgainst(matters, -1.0, all, options) >= intervalGoal
        && logAgainst(-matters, 1.0, all, options) >= intervalGoal)
        result.verdict = PairedVerdict::NoDifference;
    else if (logAgainst(0.0, -1.0, all, options) >= signGoal)
        result.verdict = PairedVerdict::ACheaper;
    else if (logAgainst(0.0, 1.0, all, options) >= signGoal)
        result.verdict = PairedVerdict::BCheaper;
    return result;
}

} // namespace ep::energy
