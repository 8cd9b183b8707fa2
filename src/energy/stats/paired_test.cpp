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
BetWealth logAgainst(double centre, double side, std::span<const PairedRatio> pairs,
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
BetWealth logAgainst(double centre, double side, std::span<const PairSeries> all,
                     const PairedTestOptions& options)
{
    BetWealth sum;
    for (const PairSeries& one : all)
        sum += logAgainst(centre, side, one.pairs, one.history.known, options);
    return sum;
}

// The end of the interval on one side of the estimate: where the bets no longer succeed.
double intervalEnd(double estimate, double side, std::span<const PairSeries> all,
                   const PairedTestOptions& options)
{
    const BetWealth goal = intervalGoal(options);
    const auto refuted = [&](double distance) {
        return logAgainst(estimate - side * distance, side, all, options).reaches(goal);
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

// The bets of a measurement in progress, and what they say.
class VerdictBets {
public:
    explicit VerdictBets(const PairedTestOptions& options)
        : m_sign(signGoal(options))
        , m_interval(intervalGoal(options))
        , m_matters(std::log1p(options.smallest_difference))
        , m_bets{PairBet{0.0, 1.0, options},
                 PairBet{0.0, -1.0, options},
                 PairBet{m_matters, -1.0, options},
                 PairBet{-m_matters, 1.0, options},
                 PairBet{std::log1p(kMostOfOrder), 1.0, options},
                 PairBet{-std::log1p(kMostOfOrder), -1.0, options}}
    {
    }

    void add(const PairedRatio& pair, const KnownOfPairs& known)
    {
        for (PairBet& bet : m_bets)
            bet.add(pair, known);
        ++m_pairs;
        m_a_first += pair.order == PairOrder::AFirst ? 1 : 0;
        m_b_first += pair.order == PairOrder::BFirst ? 1 : 0;
    }

    // What running first costs cannot be told from a difference.
    bool oneOrder() const { return nearlyOneOrder(m_a_first, m_b_first, m_pairs); }

    PairedVerdict verdict() const
    {
        const bool one = oneOrder();
        const auto wins = [&](Bet bet, const BetWealth& goal) {
            return m_bets.at(bet).logValue().reaches(goal);
        };
        if (!one && wins(NotMuchMore, m_interval) && wins(NotMuchLess, m_interval))
            return PairedVerdict::NoDifference;
        if (wins(one ? MuchBelow : Below, m_sign))
            return PairedVerdict::ACheaper;
        return wins(one ? MuchAbove : Above, m_sign) ? PairedVerdict::BCheaper
                                                     : PairedVerdict::Unknown;
    }

    PairsNeeded forecast(double centre, const KnownOfPairs& known) const;

private:
    // Above: that A is more expensive than B.
    enum Bet : std::uint8_t { Above, Below, NotMuchMore, NotMuchLess, MuchAbove, MuchBelow, Count };

    double pairsFor(double distance, double spread, const BetWealth& missing) const;

    BetWealth m_sign;
    BetWealth m_interval;
    double m_matters;
    std::array<PairBet, Count> m_bets;
    std::int64_t m_pairs = 0;
    std::int64_t m_a_first = 0;
    std::int64_t m_b_first = 0;
};

// From the expected gain of both bets with each pair.
double VerdictBets::pairsFor(double distance, double spread, const BetWealth& missing) const
{
    const double clear = std::max(distance - m_matters / 2.0, m_matters / 8.0);
    const double signs = std::min(std::log(2.0), m_matters * clear / (spread * spread));
    const double wandering = wanderingGain(std::max(distance, m_matters / 8.0) / spread);
    return std::max(missing.independent / signs, missing.wandering / wandering);
}

// The pairs until the verdict that comes first, for centres that the pairs so far suggest: taking
// the estimate for the truth would promise too much, because large estimates decide early.
PairsNeeded VerdictBets::forecast(double centre, const KnownOfPairs& known) const
{
    const auto missing = [](const BetWealth& goal, const BetWealth& have) {
        return BetWealth{.independent = goal.independent - have.independent,
                         .wandering = goal.wandering - have.wandering};
    };
    const auto lesser = [&](Bet one, Bet other) {
        const BetWealth a = m_bets.at(one).logValue();
        const BetWealth b = m_bets.at(other).logValue();
        return BetWealth{.independent = std::min(a.independent, b.independent),
                         .wandering = std::min(a.wandering, b.wandering)};
    };
    // Quantiles of the normal distribution.
    constexpr std::array kSteps{-1.645, -1.036, -0.674, -0.385, -0.126,
                                0.126,  0.385,  0.674,  1.036,  1.645};
    const double error = known.spread / std::sqrt(std::max(1.0, known.count));
    std::vector<double> needed;
    for (const double step : kSteps) {
        const double at = centre + step * error;
        const double sign =
            pairsFor(std::abs(at), known.spread,
                     missing(m_sign, m_bets.at(at > 0.0 ? Above : Below).logValue()));
        const double none = pairsFor(m_matters - std::abs(at), known.spread,
                                     missing(m_interval, lesser(NotMuchMore, NotMuchLess)));
        constexpr double kMax = 1e6;
        needed.push_back(std::clamp(std::min(sign, none), 1.0, kMax));
    }
    std::ranges::sort(needed);
    const auto at = [&](double p, double factor) {
        return static_cast<std::int64_t>(std::ceil(factor * quantileOf(needed, p)));
    };
    // The quantile and the factor by which luck moves the end come from simulations.
    constexpr double kLikely = 0.65;
    constexpr double kTail = 0.1;
    constexpr double kLuck = 1.6;
    return {
        .about = at(kLikely, 1.0), .low = at(kTail, 1.0 / kLuck), .high = at(1.0 - kTail, kLuck)};
}

// Correlation between successive ratios if it is clearly above zero.
std::optional<double> clearCorrelation(const PairSeries& series)
{
    constexpr std::size_t kMin = 10;
    if (series.pairs.size() < kMin)
        return std::nullopt;
    const KnownOfPairs& known = series.history.after;
    const double most = 3.0 * known.spread;
    std::vector<double> values;
    for (const PairedRatio& pair : series.pairs)
        values.push_back(std::clamp(
            pair.log_ratio - signOf(pair.order) * known.drift - known.centre, -most, most));
    const double correlation = autocorrelation(values);
    return correlation * std::sqrt(static_cast<double>(values.size())) > 2.0
        ? std::optional(correlation)
        : std::nullopt;
}

} // namespace

std::string_view name(PairedVerdict verdict)
{
    constexpr std::array<std::string_view, 4> kNames{"unknown", "a_cheaper", "b_cheaper",
                                                     "no_difference"};
    return kNames.at(static_cast<std::size_t>(verdict));
}

bool nearlyOneOrder(std::int64_t aFirst, std::int64_t bFirst, std::int64_t pairs)
{
    constexpr double kNearlyAll = 0.9;
    return static_cast<double>(std::max(aFirst, bFirst)) >= kNearlyAll * static_cast<double>(pairs);
}

PairedEstimate estimatePairs(std::span<const PairedRatio> pairs, const PairedTestOptions& options)
{
    return pairEstimate({pairs, pairHistory(pairs)}, options);
}

PairedResult decidePairs(std::span<const PairedRatio> pairs, const PairedTestOptions& options)
{
    PairedResult result;
    VerdictBets bets(options);
    PairMemory memory;
    for (const PairedRatio& pair : pairs) {
        bets.add(pair, memory.known());
        memory.add(pair);
        if (++result.pairs_used < kMinPairs)
            continue;
        result.verdict = bets.verdict();
        if (result.verdict != PairedVerdict::Unknown)
            break;
    }
    const auto used = pairs.first(static_cast<std::size_t>(result.pairs_used));
    const PairSeries series{used, pairHistory(used)};
    result.estimate = pairEstimate(series, options);
    result.one_order = bets.oneOrder();
    result.correlation = clearCorrelation(series);
    if (result.verdict == PairedVerdict::Unknown && result.pairs_used >= kMinPairs
        && !result.one_order)
        result.pairs_needed = bets.forecast(std::log(result.estimate.ratio), series.history.after);
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
    const BetWealth sign = signGoal(options);
    const BetWealth interval = intervalGoal(options);
    if (logAgainst(matters, -1.0, all, options).reaches(interval)
        && logAgainst(-matters, 1.0, all, options).reaches(interval))
        result.verdict = PairedVerdict::NoDifference;
    else if (logAgainst(0.0, -1.0, all, options).reaches(sign))
        result.verdict = PairedVerdict::ACheaper;
    else if (logAgainst(0.0, 1.0, all, options).reaches(sign))
        result.verdict = PairedVerdict::BCheaper;
    return result;
}

} // namespace ep::energy
