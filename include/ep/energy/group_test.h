// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/statistics.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Two groups of repeats against each other. Pure functions.
namespace ep::energy {

enum class GroupTestKind : std::uint8_t { None, Welch, MannWhitney };

// Welch's t-test (Welch 1947) of b's mean against a's; degrees of freedom after Satterthwaite.
struct WelchResult {
    double t = 0.0; // positive when b is larger
    double df = 0.0;
    double p = 1.0; // two-sided
    Interval ci95; // of mean(b) - mean(a)

    bool operator==(const WelchResult&) const = default;
};
// Absent below 2 values on a side and where neither side varies.
std::optional<WelchResult> welchTest(std::span<const double> a, std::span<const double> b);

// Mann & Whitney (1947): exact without ties and up to 50 values on each side, else the normal
// approximation with corrections for ties and continuity.
struct MannWhitneyResult {
    double u = 0.0; // pairs in which b is larger, ties as half
    double p = 1.0; // two-sided
    bool exact = false;

    bool operator==(const MannWhitneyResult&) const = default;
};
// Absent where a side is empty or all values are equal.
std::optional<MannWhitneyResult> mannWhitneyTest(std::span<const double> a,
                                                 std::span<const double> b);

// Hedges' g (1981): difference of means / pooled sd, with the exact small-sample factor. Absent
// below 2 values on a side and without spread.
std::optional<double> hedgesG(std::span<const double> a, std::span<const double> b);
// Cliff's delta (1993): P(b > a) - P(b < a), -1..1. Absent where a side is empty.
std::optional<double> cliffsDelta(std::span<const double> a, std::span<const double> b);

// Holm (1979): p-values that hold together, in the order given; each at most 1.
std::vector<double> holmAdjusted(std::span<const double> p);

// Power of a two-sided two-sample t-test with n values on each side for a standardised difference;
// by the non-central t distribution.
double powerOfTTest(double effect, std::int64_t n, double alpha = 0.05);
// Smallest n for each side that reaches the power (at least 2). Absent where the effect is so small
// that a million would not do.
std::optional<std::int64_t> repeatsNeeded(double effect, double power = 0.8, double alpha = 0.05);

// A value further than 3.5 from the median in units of 1.4826 x the median absolute deviation
// (Iglewicz & Hoaglin 1993), or of 1.2533 x the mean one where the median one is 0.
bool hasOutlier(std::span<const double> values);

struct GroupTest {
    double difference = 0.0; // mean(b) - mean(a)
    std::optional<double> relative{}; // of |mean(a)|; absent where that is 0
    std::optional<Interval> ci95{}; // of the difference (Welch); from 3 values on each side
    GroupTestKind kind = GroupTestKind::None;
    std::optional<double> p{}; // two-sided, not corrected
    std::optional<double> p_holm{}; // filled in by who knows the other tests
    double statistic = 0.0; // t or U
    double df = 0.0; // of Welch's t
    std::string reason; // why this test, or why none; one sentence
    std::optional<double> hedges_g{};
    std::optional<double> cliffs_delta{};
    std::optional<std::int64_t> repeats_needed{}; // on each side, for a difference as seen

    bool operator==(const GroupTest&) const = default;
};

// Chooses Mann-Whitney where a side has an outlier and both have at least 4 values (with 3 it
// cannot go below p = 0.1), else Welch. Without p below 3 values on a side or without any spread.
// Both sides must have values.
GroupTest compareGroups(std::span<const double> a, std::span<const double> b);

} // namespace ep::energy
