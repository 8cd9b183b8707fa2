// SPDX-License-Identifier: GPL-3.0-or-later
#include "stats/paired_bets.h"

#include "ep/core/quantile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ep::energy {

namespace {

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
    double scale; // of the distance of the centre, as kMixtureScales
    double weight;
};
constexpr std::array kCentreScales{CentreScale{1e-5, 0.05}, CentreScale{0.01, 0.1},
                                   CentreScale{0.5, 0.85}};
constexpr double kWanderingSign = 10.0;
constexpr double kWanderingInterval = 3.0;
constexpr double kFarOut = 3.0; // spreads, beyond which a deviation counts as this

// Deviations beyond three spreads count as three.
double winsorisedSquares(std::span<const double> values, double centre)
{
    std::vector<double> sizes;
    sizes.reserve(values.size());
    for (const double value : values)
        sizes.push_back(std::abs(value - centre));
    constexpr double kOfNormal = 1.4826; // standard deviation / MAD
    constexpr std::size_t kMin = 4;
    const double most = sizes.size() < kMin
        ? std::numeric_limits<double>::infinity()
        : std::max(kFarOut * kOfNormal * medianOf(sizes), kMinSpread);
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

} // namespace

double signOf(PairOrder order)
{
    return order == PairOrder::AFirst ? 1.0 : order == PairOrder::BFirst ? -1.0 : 0.0;
}

PairMemory::PairMemory()
{
    m_known.spread = kExpectedSpread;
}

const KnownOfPairs& PairMemory::known()
{
    // Late pairs change little, and sorting all of them for each would take quadratic time.
    const std::size_t count = m_pairs.size();
    constexpr std::size_t kEach = 64;
    if (count < kEach || count >= m_at + m_at / kEach)
        refresh();
    return m_known;
}

void PairMemory::refresh()
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

std::vector<double> PairMemory::withOrder(PairOrder order) const
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
double PairMemory::drift() const
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

PairBet::PairBet(double centre, double side, const PairedTestOptions& options)
    : m_centre(centre)
    , m_side(side)
    , m_matters(std::log1p(options.smallest_difference))
    , m_goal(std::log(2.0 / options.interval_error))
{
}

void PairBet::add(const PairedRatio& pair, const KnownOfPairs& known)
{
    const double x = m_side * (pair.log_ratio - signOf(pair.order) * known.drift - m_centre);
    // Distance for which the bet is optimal: the smallest one of interest while that can be told
    // from zero, then the one that the pairs so far suggest.
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

BetWealth PairBet::logValue() const
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

// The mixture is two-sided, so it counts only if the mean lies on this side.
double PairBet::mixture(double scale) const
{
    if (!(m_squares > 0.0))
        return 0.0;
    const double share = m_sum * m_sum / (m_count * m_squares); // share of the mean in the squares
    const double shrunk = scale / (m_count + scale);
    const double value = 0.5 * std::log(shrunk)
        - m_count / 2.0 * std::log(std::max(0.0, 1.0 - share) + shrunk * share);
    return m_sum > 0.0 ? value : std::min(0.0, value);
}

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

double wanderingGain(double distance)
{
    // Variance around zero if each value is predicted from the one before, relative to the spread.
    const double squared = distance * distance;
    const double correlation = std::min(kMostWandering, squared / (1.0 + squared));
    return 0.5
        * std::log((1.0 + squared) * (1.0 + correlation * correlation)
                   - 2.0 * correlation * squared);
}

void WanderingBet::add(double deviation)
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

double WanderingBet::logValue() const
{
    constexpr double kNone = -std::numeric_limits<double>::infinity();
    double with = kNone; // likelihood, averaged over other centres
    double without = kNone; // the highest around this centre
    double likeliest = kNone;
    bool ahead = false;
    for (int step = 0; step < kWanderingSteps; ++step) {
        const double correlation = kMostWandering * step / (kWanderingSteps - 1);
        const double kept = 1.0 - correlation; // of a constant, after the prediction
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
                ahead = sum > 0.0; // the average is two-sided
            }
        }
    }
    return ahead ? with - without : std::min(0.0, with - without);
}

} // namespace ep::energy
