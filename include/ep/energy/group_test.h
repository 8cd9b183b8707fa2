// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/energy/statistics.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Comparison of two groups of repeats. Pure functions.
namespace ep::energy {

enum class GroupTestKind : std::uint8_t { None, Welch, MannWhitney };

// Welch's t-test (Welch 1947) of b's mean against a's; degrees of freedom after Satterthwaite.
struct WelchResult {
    double t = 0.0; // positive when b is larger
    double df = 0.0;
    double p = 1.0; // two-sided
    Interval ci95; // interval of mean(b) - mean(a)

    bool operator==(const WelchResult&) const = default;
};
// Absent with fewer than 2 values per group or if neither group varies.
std::optional<WelchResult> welchTest(std::span<const double> a, std::span<const double> b);

// Mann & Whitney (1947): exact without ties and for up to 50 values per group, otherwise the normal
// approximation with corrections for ties and continuity.
struct MannWhitneyResult {
    double u = 0.0; // number of pairs in which b is larger, ties count half
    double p = 1.0; // two-sided
    bool exact = false;

    bool operator==(const MannWhitneyResult&) const = default;
};
// Absent if a group is empty or all values are equal.
std::optional<MannWhitneyResult> mannWhitneyTest(std::span<const double> a,
                                                 std::span<const double> b);

// Hedges' g (1981): difference of means / pooled sd, with the exact small-sample factor. Absent
// with fewer than 2 values per group or without spread.
std::optional<double> hedgesG(std::span<const double> a, std::span<const double> b);
// Cliff's delta (1993): P(b > a) - P(b < a), -1..1. Absent if a group is empty.
std::optional<double> cliffsDelta(std::span<const double> a, std::span<const double> b);

// Holm (1979): p-values corrected for multiple tests, in the order given; each at most 1.
std::vector<double> holmAdjusted(std::span<const double> p);

// Power of a two-sided two-sample t-test with n values per group for a standardised difference;
// from the non-central t distribution.
double powerOfTTest(double effect, std::int64_t n, double alpha = 0.05);
// Smallest n per group that reaches the power (at least 2). Absent if more than a million would be
// needed.
std::optional<std::int64_t> repeatsNeeded(double effect, double power = 0.8, double alpha = 0.05);
// The same from the normal distribution, with a correction for the estimated spread (Guenther
// 1981): fast, and off by at most one for large numbers.
std::optional<std::int64_t> aboutRepeatsNeeded(double effect, double power = 0.8,
                                               double alpha = 0.05);

// A value further than 3.5 from the median in units of 1.4826 x the median absolute deviation
// (Iglewicz & Hoaglin 1993), or of 1.2533 x the mean one where the median one is 0.
bool hasOutlier(std::span<const double> values);

struct GroupTest {
    double difference = 0.0; // mean(b) - mean(a)
    std::optional<double> relative{}; // relative to |mean(a)|; absent if that is 0
    std::optional<Interval> ci95{}; // for the difference (Welch); requires 3 values per group
    GroupTestKind kind = GroupTestKind::None;
    std::optional<double> p{}; // two-sided, not corrected
    std::optional<double> p_holm{}; // filled in by the caller, who knows about the other tests
    double statistic = 0.0; // t or U
    double df = 0.0; // degrees of freedom of Welch's t
    Message reason; // why this test or none was chosen, one sentence
    std::optional<double> hedges_g{};
    std::optional<double> cliffs_delta{};
    std::optional<std::int64_t> repeats_needed{}; // per group, to detect the observed difference

    bool operator==(const GroupTest&) const = default;
};

// Uses Mann-Whitney if a group has an outlier and both have at least 4 values (with 3 it cannot
// reach p < 0.1), otherwise Welch. No p with fewer than 3 values per group or without spread. Both
// groups must have values.
GroupTest compareGroups(std::span<const double> a, std::span<const double> b);

} // namespace ep::energy
