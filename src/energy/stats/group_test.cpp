// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/group_test.h"

#include "ep/core/quantile.h"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/gamma.hpp>

#include <algorithm>
#include <cmath>

namespace ep::energy {
namespace {

constexpr std::int64_t kMaxRepeats = 1'000'000;

} // namespace

std::optional<WelchResult> welchTest(std::span<const double> a, std::span<const double> b,
                                     double error)
{
    const auto sdA = sampleSd(a);
    const auto sdB = sampleSd(b);
    if (!sdA || !sdB)
        return std::nullopt;
    const auto nA = static_cast<double>(a.size());
    const auto nB = static_cast<double>(b.size());
    const double errorA = *sdA * *sdA / nA;
    const double errorB = *sdB * *sdB / nB;
    const double standardError = std::sqrt(errorA + errorB);
    const double difference = meanOf(b) - meanOf(a);
    if (!(standardError > 1e-12 * std::max(std::abs(meanOf(a)), std::abs(meanOf(b)))))
        return std::nullopt;
    WelchResult result;
    result.t = difference / standardError;
    result.df = (errorA + errorB) * (errorA + errorB)
        / (errorA * errorA / (nA - 1.0) + errorB * errorB / (nB - 1.0));
    const boost::math::students_t t(result.df);
    result.p = 2.0 * boost::math::cdf(boost::math::complement(t, std::abs(result.t)));
    const double half = studentQuantile(1.0 - error / 2.0, result.df) * standardError;
    result.interval = {difference - half, difference + half};
    return result;
}

std::vector<double> holmAdjusted(std::span<const double> p)
{
    std::vector<std::size_t> order(p.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t x, std::size_t y) { return p[x] < p[y]; });
    std::vector<double> adjusted(p.size());
    double largest = 0.0;
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
        largest = std::max(largest, p[order[rank]] * static_cast<double>(order.size() - rank));
        adjusted[order[rank]] = std::min(1.0, largest);
    }
    return adjusted;
}

std::vector<double> logarithms(const std::vector<double>& values)
{
    std::vector<double> logs;
    for (const double value : values) {
        if (!(value > 0.0))
            return {};
        logs.push_back(std::log(value));
    }
    return logs;
}

std::optional<double> hedgesG(std::span<const double> a, std::span<const double> b)
{
    const auto sdA = sampleSd(a);
    const auto sdB = sampleSd(b);
    if (!sdA || !sdB)
        return std::nullopt;
    const double dfA = static_cast<double>(a.size()) - 1.0;
    const double dfB = static_cast<double>(b.size()) - 1.0;
    const double df = dfA + dfB;
    const double pooled = std::sqrt((dfA * *sdA * *sdA + dfB * *sdB * *sdB) / df);
    if (!(pooled > 1e-12 * std::max(std::abs(meanOf(a)), std::abs(meanOf(b)))))
        return std::nullopt;
    const double factor =
        std::exp(boost::math::lgamma(df / 2.0) - boost::math::lgamma((df - 1.0) / 2.0))
        / std::sqrt(df / 2.0);
    return factor * (meanOf(b) - meanOf(a)) / pooled;
}

std::optional<std::int64_t> aboutRepeatsNeeded(double effect, double alpha, double power)
{
    if (!(std::abs(effect) > 0.0) || !std::isfinite(effect))
        return std::nullopt;
    const boost::math::normal normal;
    const double limit = boost::math::quantile(boost::math::complement(normal, alpha / 2.0));
    const double number =
        2.0 * std::pow((limit + boost::math::quantile(normal, power)) / effect, 2.0)
        + limit * limit / 4.0;
    if (number > static_cast<double>(kMaxRepeats))
        return std::nullopt;
    return std::max<std::int64_t>(2, std::llround(std::ceil(number)));
}

} // namespace ep::energy
