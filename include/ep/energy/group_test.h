// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/statistics.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// Tests of two groups of repeats, and their power. Pure functions.
namespace ep::energy {

// Welch's t-test (Welch 1947) of b's mean against a's; degrees of freedom after Satterthwaite.
struct WelchResult {
    double t = 0.0; // positive when b is larger
    double df = 0.0;
    double p = 1.0; // two-sided
    Interval interval; // of mean(b) - mean(a)

    bool operator==(const WelchResult&) const = default;
};
// Absent with fewer than 2 values per group or if neither group varies.
// error: probability that the interval misses the difference.
std::optional<WelchResult> welchTest(std::span<const double> a, std::span<const double> b,
                                     double error = kIntervalError);

std::vector<double> logarithms(const std::vector<double>& values); // empty unless all are above 0

// Hedges' g (1981): difference of means / pooled sd, with the exact small-sample factor. Absent
// with fewer than 2 values per group or without spread.
std::optional<double> hedgesG(std::span<const double> a, std::span<const double> b);

// Holm (1979): p-values corrected for multiple tests, in the order given; each at most 1.
std::vector<double> holmAdjusted(std::span<const double> p);

// Smallest n per group with which a two-sided two-sample t-test for a standardised difference
// reaches the power (at least 2). From the normal distribution, with a correction for the estimated
// spread (Guenther 1981), which is off by at most one for large numbers. Absent if more than a
// million would be needed.
std::optional<std::int64_t> aboutRepeatsNeeded(double effect, double alpha = 0.05,
                                               double power = 0.8);

} // namespace ep::energy
