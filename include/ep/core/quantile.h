// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/units.h"

#include <span>
#include <vector>

namespace ep {

// p-quantile by linear interpolation of the order statistics (type 7 of Hyndman & Fan 1996), the
// default of R and NumPy; NaN without values. p: 0 to 1.
double quantileOf(std::span<const double> sorted, double p);
double medianOf(std::span<const double> values); // in any order; NaN without values
// The median of durations, in any order: one of them, the longer of two in the middle. 0 without
// any.
Nanoseconds medianDuration(std::vector<Nanoseconds> durations);

// The standard deviation of normally distributed values, by the median of their distances from the
// middle: a few values far out do not count. NaN without values.
double robustSd(std::span<const double> distances);

// The value that Student's t with `freedom` > 0 degrees stays below with probability p.
double studentQuantile(double p, double freedom);

// The 97.5 % point of Student's t divided by that of the normal distribution, to 1 % from 3
// degrees of freedom on, and bounded for fewer: the factor by which an estimated deviation must be
// increased.
constexpr double studentFactor(double freedom)
{
    return 1.0 + 1.37 / freedom + 1.0 / (freedom * freedom);
}

} // namespace ep
