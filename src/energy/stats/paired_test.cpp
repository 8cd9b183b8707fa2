// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/paired_test.h"

#include "ep/core/quantile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ep::energy {
namespace {

// A spread of zero (of a modelled energy, for example) would make a bet infinite.
inline constexpr double kMinSpread = 1e-6;

// Facts known before a pair is seen; bets may use nothing else.
struct KnownOfPairs {
    double count = 0.0;
    double centre = 0.0;
    double spread = 0.0;
    double drift = 0.0; // drift of the log ratio if A runs first
};

double signOf(PairOrder order); // 1: A ran first, -1: B did

// Logarithms of the wealth that two stakes of 1 have become: of the bet against a centre around
// which the pairs scatter independently, and of the one against a centre around which they wander.
struct BetWealth {
    double independent = 0.0;
    double wandering = 0.0;

    BetWealth& operator+=(const BetWealth& other)
    {
        independent += other.independent;
        wandering += other.wandering;
        return *this;
    }
    // Both bets have to succeed.
    bool reaches(const BetWealth& goal) const
    {
        return independent >= goal.independent && wandering >= goal.wandering;
    }
};

// Free parameters of the bets. They affect how soon a bet wins, but not the error.
constexpr double kShape = 6.0; // degrees of freedom of the noise that the bet on signs expects
constexpr double kExpectedSpread = 0.02; // spread of the log ratios before any are known
constexpr double kExpectedWeight = 2.0; // number of pairs that this expectation counts as
constexpr double kSignWeight = 0.8; // share of one of the two bets
constexpr std::array kMixtureScales{0.002, 0.2}; // of the t-test; smaller for larger differences

// The bet against wandering knows autoregressions with a correlation of up to kMostWandering. That
// it must multiply its stake by 10 for a sign and by 3 for the interval comes from simulations
// (docs/pays.md), in which its errors are then below 5 and 10 %: the theory would ask for 133 and
// 20, since the best of all autoregressions is a stronger opponent than the true one.
constexpr double kMostWandering = 0.7;
constexpr int kWanderingSteps = 6;
constexpr double kIndependent = 0.9; // stake on ratios without correlation; the rest is divided
struct CentreScale {
    double scale; // of the centre's distance, like kMixtureScales
    double weight;
};
constexpr std::array kCentreScales{CentreScale{1e-5, 0.05}, CentreScale{0.01, 0.1},
                                   CentreScale{0.5, 0.85}};
constexpr double kWanderingSign = 10.0;
constexpr double kWanderingInterval = 3.0;
constexpr double kFarOut = 3.0; // larger deviations, in spreads, count as this

// Deviations beyond three spreads count as three.
double winsorisedSquares(std::span<const double> values, double centre)
{
    std::vector<double> sizes;
    sizes.reserve(values.size());
    for (const double value : values)
        sizes.push_back(std::abs(value - centre));
    constexpr std::size_t kMin = 4;
    const double most = sizes.size() < kMin ? std::numeric_limits<double>::infinity()
                                            : std::max(kFarOut * robustSd(sizes), kMinSpread);
    double sum = 0.0;
    for (const double size : sizes)
        sum += std::min(size, most) * std::min(size, most);
    return sum;
}

double logAdd(double a, double b)
{
    const double most = std::max(a, b);
    return most + std::log(std::exp(a - most) + std::exp(b - most));
}

double signOf(PairOrder order)
{
    return order == PairOrder::AFirst ? 1.0 : order == PairOrder::BFirst ? -1.0 : 0.0;
}

// Collects what is known, pair by pair.
class PairMemory {
public:
    PairMemory() { m_known.spread = kExpectedSpread; }

    void add(const PairedRatio& pair) { m_pairs.push_back(pair); }

    const KnownOfPairs& known()
    {
        // Late pairs change little, and sorting all of them for each would take quadratic time.
        const std::size_t count = m_pairs.size();
        constexpr std::size_t kEach = 64;
        if (count < kEach || count >= m_at + m_at / kEach)
            refresh();
        return m_known;
    }

private:
    void refresh()
    {
        m_at = m_pairs.size();
        if (m_pairs.empty())
            return;
        const auto count = static_cast<double>(m_pairs.size());
        m_known.count = count;
        m_known.drift = drift();
        std::vector<double> values;
        values.reserve(m_pairs.size());
        for (const PairedRatio& pair : m_pairs)
            values.push_back(pair.log_ratio - signOf(pair.order) * m_known.drift);
        m_known.centre = medianOf(values);
        const double expected = kExpectedWeight * kExpectedSpread * kExpectedSpread;
        m_known.spread = std::max(kMinSpread,
                                  std::sqrt((expected + winsorisedSquares(values, m_known.centre))
                                            / (kExpectedWeight + std::max(1.0, count - 1.0))));
    }

    std::vector<double> withOrder(PairOrder order) const
    {
        std::vector<double> values;
        for (const PairedRatio& pair : m_pairs) {
            if (pair.order == order)
                values.push_back(pair.log_ratio);
        }
        return values;
    }

    // Half of the difference between the orders if it is significant; otherwise correcting it would
    // add more error than the drift itself.
    double drift() const
    {
        const std::vector<double> aFirst = withOrder(PairOrder::AFirst);
        const std::vector<double> bFirst = withOrder(PairOrder::BFirst);
        constexpr std::size_t kMin = 3;
        if (aFirst.size() < kMin || bFirst.size() < kMin)
            return 0.0;
        const double a = medianOf(aFirst);
        const double b = medianOf(bFirst);
        const auto countA = static_cast<double>(aFirst.size());
        const auto countB = static_cast<double>(bFirst.size());
        const double variance =
            (winsorisedSquares(aFirst, a) + winsorisedSquares(bFirst, b)) / (countA + countB - 2.0);
        constexpr double kOfMedian = 1.57; // variance of a median / variance of the mean
        const double error = std::sqrt(kOfMedian * variance * (1.0 / countA + 1.0 / countB)) / 2.0;
        const double half = (a - b) / 2.0;
        return std::abs(half) > 3.0 * error ? half : 0.0;
    }

    std::vector<PairedRatio> m_pairs;
    std::size_t m_at = 0;
    KnownOfPairs m_known{};
};

// The bet against a centre around which the ratios wander: each depends on the one before
// (an autoregression of first order). It compares the likelihood of independent ratios around any
// other centre with that of the best autoregression around this one (Wasserman, Ramdas &
// Balakrishnan 2020, "Universal inference"), whatever their variance is.
class WanderingBet {
public:
    // From the centre, positive on the side that the bet is on.
    void add(double deviation)
    {
        if (m_count > 0.0) {
            m_sum += deviation;
            m_sum_before += m_last;
            m_squares += deviation * deviation;
            m_squares_before += m_last * m_last;
            m_products += deviation * m_last;
        } else {
            m_first = deviation;
        }
        m_last = deviation;
        m_count += 1.0;
    }

    double logValue() const
    {
        constexpr double kNone = -std::numeric_limits<double>::infinity();
        double with = kNone; // likelihood, averaged over other centres
        double without = kNone; // the highest around this centre
        double likeliest = kNone;
        bool ahead = false;
        for (int step = 0; step < kWanderingSteps; ++step) {
            const double correlation = kMostWandering * step / (kWanderingSteps - 1);
            const double kept =
                1.0 - correlation; // share of the centre that the previous pair leaves
            const double first = 1.0 - correlation * correlation;
            const double squares = first * m_first * m_first + m_squares
                - 2.0 * correlation * m_products + correlation * correlation * m_squares_before;
            if (!(squares > 0.0))
                return 0.0;
            const double sum = first * m_first + kept * (m_sum - correlation * m_sum_before);
            const double weight = first + kept * kept * (m_count - 1.0);
            const double determinant = 0.5 * std::log(first);
            without = std::max(without, determinant - m_count / 2.0 * std::log(squares));
            const double stake =
                step == 0 ? kIndependent : (1.0 - kIndependent) / (kWanderingSteps - 1);
            for (const CentreScale& centre : kCentreScales) {
                const double rest = std::max(squares - sum * sum / (weight + centre.scale),
                                             squares * std::numeric_limits<double>::epsilon());
                const double value = determinant + std::log(stake * centre.weight)
                    + 0.5 * std::log(centre.scale / (weight + centre.scale))
                    - m_count / 2.0 * std::log(rest);
                with = with > kNone ? logAdd(with, value) : value;
                if (value > likeliest) {
                    likeliest = value;
                    ahead = sum > 0.0; // the average covers both sides
                }
            }
        }
        return ahead ? with - without : std::min(0.0, with - without);
    }

private:
    double m_count = 0.0;
    double m_first = 0.0;
    double m_last = 0.0;
    // Sums over all pairs but the first: of their deviations and of the preceding deviations.
    double m_sum = 0.0;
    double m_sum_before = 0.0;
    double m_squares = 0.0;
    double m_squares_before = 0.0;
    double m_products = 0.0;
};

// The bet that the centre is above (side 1) or below (-1) the tested value.
class PairBet {
public:
    PairBet(double centre, double side, const PairedTestOptions& options)
        : m_centre(centre)
        , m_side(side)
        , m_matters(std::log1p(options.smallest_difference))
        , m_goal(std::log(2.0 / options.interval_error))
    {
    }

    void add(const PairedRatio& pair, const KnownOfPairs& known)
    {
        const double x = m_side * (pair.log_ratio - signOf(pair.order) * known.drift - m_centre);
        // Distance for which the bet is optimal: at least the smallest distance that matters, if
        // the pairs so far can resolve it; a larger one if they suggest it.
        const double ahead = m_side * (known.centre - m_centre);
        const double told = 1.5 * known.spread * std::sqrt(2.0 * m_goal / (known.count + 1.0));
        const double distance =
            std::max({std::min(m_matters, told),
                      known.count > 0.0 ? ahead - known.spread / std::sqrt(known.count) : 0.0});
        const auto density = [&](double value) {
            const double z = (value - distance) / known.spread;
            return -(kShape + 1.0) / 2.0 * std::log1p(z * z / kShape);
        };
        const double with = density(x);
        m_signs += std::log(2.0) + with - logAdd(with, density(-x));
        m_count += 1.0;
        m_sum += x;
        m_squares += x * x;
        constexpr double kMinToClamp = 4.0;
        const double furthest = known.count < kMinToClamp ? std::numeric_limits<double>::infinity()
                                                          : kFarOut * known.spread;
        m_wandering.add(std::clamp(x, ahead - furthest, ahead + furthest));
    }

    BetWealth logValue() const
    {
        double normal = 0.0;
        bool first = true;
        for (const double scale : kMixtureScales) {
            const double value = mixture(scale) - std::log(double(kMixtureScales.size()));
            normal = first ? value : logAdd(normal, value);
            first = false;
        }
        return {.independent =
                    logAdd(std::log(kSignWeight) + m_signs, std::log(1.0 - kSignWeight) + normal),
                .wandering = m_wandering.logValue()};
    }

private:
    // The mixture is two-sided, so it counts only if the mean lies on this side.
    double mixture(double scale) const
    {
        if (!(m_squares > 0.0))
            return 0.0;
        const double share =
            m_sum * m_sum / (m_count * m_squares); // share of the mean in the squares
        const double shrunk = scale / (m_count + scale);
        const double value = 0.5 * std::log(shrunk)
            - m_count / 2.0 * std::log(std::max(0.0, 1.0 - share) + shrunk * share);
        return m_sum > 0.0 ? value : std::min(0.0, value);
    }

    double m_centre;
    double m_side;
    double m_matters;
    double m_goal;
    double m_signs = 0.0;
    double m_count = 0.0;
    double m_sum = 0.0;
    double m_squares = 0.0;
    WanderingBet m_wandering;
};

BetWealth signGoal(const PairedTestOptions& options)
{
    return {.independent = std::log(2.0 / options.sign_error),
            .wandering = std::log(kWanderingSign)};
}

BetWealth intervalGoal(const PairedTestOptions& options)
{
    return {.independent = std::log(2.0 / options.interval_error),
            .wandering = std::log(kWanderingInterval)};
}

// Information per pair of the bet against wandering, if the centre is this many spreads away.
double wanderingGain(double distance)
{
    // Variance around zero if each value is predicted from the one before, relative to the spread.
    const double squared = distance * distance;
    const double correlation = std::min(kMostWandering, squared / (1.0 + squared));
    return 0.5
        * std::log((1.0 + squared) * (1.0 + correlation * correlation)
                   - 2.0 * correlation * squared);
}

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

    // Whether the effect of running first cannot be told from a difference.
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

    // The pairs until the verdict that comes first, for centres that the pairs so far suggest:
    // taking the estimate for the truth would promise too much, because large estimates decide
    // early.
    PairsNeeded forecast(double centre, const KnownOfPairs& known) const
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
        return {.about = at(kLikely, 1.0),
                .low = at(kTail, 1.0 / kLuck),
                .high = at(1.0 - kTail, kLuck)};
    }

private:
    // Above: that A is more expensive than B.
    enum Bet : std::uint8_t { Above, Below, NotMuchMore, NotMuchLess, MuchAbove, MuchBelow, Count };

    // Number of further pairs, from the gain that both bets expect from each.
    double pairsFor(double distance, double spread, const BetWealth& missing) const
    {
        const double clear = std::max(distance - m_matters / 2.0, m_matters / 8.0);
        const double signs = std::min(std::log(2.0), m_matters * clear / (spread * spread));
        const double wandering = wanderingGain(std::max(distance, m_matters / 8.0) / spread);
        return std::max(missing.independent / signs, missing.wandering / wandering);
    }

    BetWealth m_sign;
    BetWealth m_interval;
    double m_matters;
    std::array<PairBet, Count> m_bets;
    std::int64_t m_pairs = 0;
    std::int64_t m_a_first = 0;
    std::int64_t m_b_first = 0;
};

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
