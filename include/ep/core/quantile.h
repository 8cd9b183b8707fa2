// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

namespace ep {

// p-quantile by linear interpolation of the order statistics (type 7 of Hyndman & Fan 1996), the
// default of R and NumPy; NaN without values. p: 0 to 1.
double quantileOf(std::span<const double> sorted, double p);
double medianOf(std::span<const double> values); // in any order; NaN without values

} // namespace ep
