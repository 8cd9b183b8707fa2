// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/student.h"
#include "ep/energy/group_test.h"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>

namespace ep::energy {

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

} // namespace ep::energy
