// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/quantile.h"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace ep {

double quantileOf(std::span<const double> sorted, double p)
{
    if (sorted.empty())
        return std::numeric_limits<double>::quiet_NaN();
    const double place = std::clamp(p, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

double medianOf(std::span<const double> values)
{
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    return quantileOf(sorted, 0.5);
}

Nanoseconds medianDuration(std::vector<Nanoseconds> durations)
{
    if (durations.empty())
        return 0;
    const auto middle = durations.begin() + static_cast<std::ptrdiff_t>(durations.size() / 2);
    std::nth_element(durations.begin(), middle, durations.end());
    return *middle;
}

double robustSd(std::span<const double> distances)
{
    constexpr double kSdByMedian = 1.482602218505602; // of a normal distribution
    return kSdByMedian * medianOf(distances);
}

double studentQuantile(double p, double freedom)
{
    return boost::math::quantile(boost::math::students_t(freedom), p);
}

} // namespace ep
