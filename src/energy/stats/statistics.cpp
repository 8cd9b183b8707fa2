// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/statistics.h"

#include "ep/core/format.h"
#include "ep/core/quantile.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace ep::energy {
namespace {

// SplitMix64 (Steele et al. 2014): the same numbers on every platform, which the distributions of
// <random> do not guarantee.
class StatisticsRandom {
public:
    explicit StatisticsRandom(std::uint64_t seed)
        : m_state(seed)
    {
    }

    std::uint64_t next()
    {
        m_state += 0x9e3779b97f4a7c15ULL;
        std::uint64_t z = m_state;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31U);
    }

    // 0 .. count - 1; the bias of at most count / 2^32 is negligible here.
    std::uint64_t below(std::uint64_t count) { return ((next() >> 32U) * count) >> 32U; }

private:
    std::uint64_t m_state;
};

constexpr int kResamples = 1999;
constexpr std::int64_t kMinToResample = 4;
constexpr std::int64_t kMinToShow = 8; // with fewer values, an outlier makes the ends meaningless
constexpr std::int64_t kMaxToResample = 100; // with more values, both intervals are the same

// Spread due to rounding only.
bool varies(double sd, double mean)
{
    return sd > 1e-12 * std::abs(mean);
}

std::optional<double> knownMean(const SampleStatistics& sample)
{
    return sample.n > 0 ? std::optional(sample.mean) : std::nullopt;
}

Message besideInterval(RunFigure figure, const SampleStatistics& sample, const std::string& mean)
{
    return sample.n > 0 && sample.ci95 ? Message("%1 (%2)", mean, intervalText(figure, sample.ci95))
                                       : Message(mean);
}

} // namespace

double meanOf(std::span<const double> values)
{
    if (values.empty())
        return std::numeric_limits<double>::quiet_NaN();
    const auto n = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
    double correction = 0.0;
    for (const double value : values)
        correction += value - mean;
    return mean + correction / n;
}

std::optional<double> sampleSd(std::span<const double> values)
{
    if (values.size() < 2)
        return std::nullopt;
    const double mean = meanOf(values);
    const auto n = static_cast<double>(values.size());
    double squares = 0.0;
    double rest = 0.0;
    for (const double value : values) {
        squares += (value - mean) * (value - mean);
        rest += value - mean;
    }
    return std::sqrt(std::max(0.0, squares - rest * rest / n) / (n - 1.0));
}

std::optional<Interval> studentInterval(std::span<const double> values, double error)
{
    const auto sd = sampleSd(values);
    if (!sd)
        return std::nullopt;
    const auto n = static_cast<double>(values.size());
    const double half = studentQuantile(1.0 - error / 2.0, n - 1.0) * *sd / std::sqrt(n);
    const double mean = meanOf(values);
    return Interval{mean - half, mean + half};
}

std::optional<Interval> bootstrapInterval(std::span<const double> values, std::uint64_t seed)
{
    const auto sd = sampleSd(values);
    if (static_cast<std::int64_t>(values.size()) < kMinToResample)
        return std::nullopt;
    const double mean = meanOf(values);
    if (!varies(*sd, mean))
        return std::nullopt;
    const auto n = static_cast<double>(values.size());
    StatisticsRandom random(seed);
    std::vector<double> ratios;
    ratios.reserve(kResamples);
    std::vector<double> distances;
    for (const double value : values)
        distances.push_back(value - mean);
    for (int i = 0; i < kResamples; ++i) {
        double sum = 0.0;
        double squares = 0.0;
        for (std::size_t k = 0; k < distances.size(); ++k) {
            const double distance = distances[random.below(distances.size())];
            sum += distance;
            squares += distance * distance;
        }
        const double spread = std::sqrt(std::max(0.0, squares - sum * sum / n) / (n - 1.0));
        if (spread > 1e-6 * *sd) // otherwise the bootstrap drew one value n times
            ratios.push_back(sum / n / (spread / std::sqrt(n)));
    }
    std::sort(ratios.begin(), ratios.end());
    const double error = *sd / std::sqrt(n);
    return Interval{mean - quantileOf(ratios, 0.975) * error,
                    mean - quantileOf(ratios, 0.025) * error};
}

SampleStatistics describe(std::span<const double> values, std::uint64_t seed)
{
    SampleStatistics all;
    all.n = static_cast<std::int64_t>(values.size());
    if (values.empty()) {
        all.ci_method = "no values";
        return all;
    }
    all.mean = meanOf(values);
    all.median = medianOf(values);
    all.smallest = *std::min_element(values.begin(), values.end());
    all.largest = *std::max_element(values.begin(), values.end());
    all.sd = sampleSd(values);
    if (all.n < kMinToTest) {
        all.ci_method = "none: an interval needs at least 3 values";
    } else if (!varies(*all.sd, all.mean)) {
        all.ci95 = Interval{all.mean, all.mean};
        all.sd = 0.0; // the rest is rounding
        all.ci_method = "the values do not vary";
    } else if (all.n < kMinToShow) {
        all.ci95 = studentInterval(values);
        all.ci_method = "Student's t: fewer than 8 values are too few to resample";
    } else if (all.n > kMaxToResample) {
        all.ci95 = studentInterval(values);
        all.ci_method = "Student's t";
    } else {
        all.ci95 = bootstrapInterval(values, seed);
        all.ci_method = "bootstrap-t";
    }
    // The mean of a figure that is never negative is not negative either.
    if (all.ci95 && all.smallest >= 0.0)
        all.ci95->low = std::max(0.0, all.ci95->low);
    return all;
}

std::string relativeSd(const SampleStatistics& sample)
{
    return sample.sd && sample.mean != 0.0 ? formatPercent(*sample.sd / std::abs(sample.mean))
                                           : kMissingText;
}

Message intervalText(RunFigure figure, const std::optional<Interval>& interval)
{
    return interval
        ? Message("%1 to %2", formatCell(figure, interval->low), formatCell(figure, interval->high))
        : Message(kMissingText);
}

Message figureText(RunFigure figure, const SampleStatistics& sample)
{
    return besideInterval(figure, sample, formatFigure(figure, knownMean(sample)));
}

Message cellText(RunFigure figure, const SampleStatistics& sample)
{
    return besideInterval(figure, sample, formatCell(figure, knownMean(sample)));
}

Message spreadText(RunFigure figure, const SampleStatistics& sample)
{
    const std::string mean = formatFigure(figure, knownMean(sample));
    return sample.sd ? Message("%1 (sd %2, n %3)", mean, relativeSd(sample), sample.n)
                     : Message(mean);
}

double autocorrelation(std::span<const double> values)
{
    if (values.size() < 2)
        return 0.0;
    const double mean = meanOf(values);
    double products = 0.0;
    double squares = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        squares += (values[i] - mean) * (values[i] - mean);
        if (i > 0)
            products += (values[i] - mean) * (values[i - 1] - mean);
    }
    return squares > 0.0 ? products / squares : 0.0;
}

std::optional<SeriesInterval> seriesInterval(std::span<const double> values, std::uint64_t seed)
{
    const auto n = static_cast<std::int64_t>(values.size());
    if (n < kShortestSeries)
        return std::nullopt;
    SeriesInterval result;
    result.n = n;
    result.mean = meanOf(values);
    result.autocorrelation = autocorrelation(values);
    const double rho = std::clamp(std::abs(result.autocorrelation), 0.0, 0.97);
    const double length =
        std::pow(2.0 * rho / (1.0 - rho * rho), 2.0 / 3.0) * std::cbrt(static_cast<double>(n));
    result.block = std::clamp<std::int64_t>(std::llround(std::ceil(length)), 1, n / 4);

    StatisticsRandom random(seed);
    std::vector<double> means;
    means.reserve(kResamples);
    for (int i = 0; i < kResamples; ++i) {
        double sum = 0.0;
        std::int64_t taken = 0;
        while (taken < n) {
            auto at = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n)));
            for (std::int64_t k = 0; k < result.block && taken < n; ++k, ++taken) {
                sum += values[static_cast<std::size_t>(at)];
                at = at + 1 == n ? 0 : at + 1;
            }
        }
        means.push_back(sum / static_cast<double>(n));
    }
    std::sort(means.begin(), means.end());
    result.ci95 = {quantileOf(means, 0.025), quantileOf(means, 0.975)};
    return result;
}

} // namespace ep::energy
