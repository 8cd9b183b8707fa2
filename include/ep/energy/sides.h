// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/core/run_figure.h"
#include "ep/energy/paired_test.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Compares one figure of two sides, B with A. Every front end takes its verdict, interval and
// forecast from here. Pure functions.
namespace ep::energy {

enum class SideTestKind : std::uint8_t {
    None, // too few values
    Welch, // Welch's t-test of the logarithms
    Pairs, // Student's t-test of the logarithms of ratios; the number of pairs was fixed
    PairsUntilKnown, // bets (paired_test.h): the pairs went on until the verdict was known
};
std::string_view name(SideTestKind kind); // "pairs_until_known"

struct SideValues {
    RunFigure figure = RunFigure::JoulesPerToken;
    std::vector<double> a{};
    std::vector<double> b{};
    std::vector<PairedRatio> pairs{}; // of runs that were made in pairs; empty: compared as groups
    bool until_known = false; // the pairs went on until the verdict was known
    bool decides = true; // whether the pairs ended because this figure was known
};

struct SideTestOptions {
    double smallest_difference = kSmallestDifference; // differences up to this do not matter
    // Probability that the interval misses; twice as much where the number of pairs was not fixed.
    double error = kIntervalError;

    bool operator==(const SideTestOptions&) const = default;
};

struct SideTest {
    RunFigure figure = RunFigure::JoulesPerToken;
    PairedVerdict verdict = PairedVerdict::Unknown;
    double smallest_difference = kSmallestDifference;
    double difference = 0.0; // mean(b) - mean(a)
    // Centre of b / a, minus 1: of means of logarithms, or of pairs. If a value is not above zero,
    // the difference relative to |mean(a)|; absent if that is 0.
    std::optional<double> relative{};
    std::optional<Interval> interval{}; // of `relative`; requires 3 values on each side
    double confidence = 1.0 - kIntervalError; // of the interval
    SideTestKind kind = SideTestKind::None;
    std::optional<double> p{}; // two-sided; absent for bets
    std::optional<double> p_corrected{}; // filled in by the caller, who knows the other tests
    double statistic = 0.0; // t statistic
    double df = 0.0;
    Message reason{}; // which test this is, or why there is none, one sentence
    std::optional<double> hedges_g{}; // of the logarithms; absent for pairs
    std::int64_t n_a = 0; // number of values
    std::int64_t n_b = 0;
    std::int64_t pairs = 0;
    std::int64_t pairs_used = 0; // number of pairs when the verdict was reached; all if Unknown
    // How many more pairs, or repeats on each side, would probably lead to a verdict.
    std::optional<PairsNeeded> more_needed{};
    std::int64_t a_first = 0; // pairs in which A ran first
    std::int64_t b_first = 0;
    std::optional<double> correlation{}; // between successive ratios, if it is clear

    bool operator==(const SideTest&) const = default;
};

SideTest testSides(const SideValues& values, const SideTestOptions& options = {});
// Half of the 95 % interval of the centre of repeats of one setting, relative to it: Student's t of
// the logarithms, as for two sides. Requires 3 values, all above zero.
std::optional<double> relativeHalfWidth(const std::vector<double>& values);
// The result of measurements that were pooled.
SideTest testOf(const PairedResult& result, double smallestDifference);

// "q4_1 needs 26 % less energy per token than q8_0 (5.2 to 41 %).", with what it depends on.
// minutesLeft: of a measurement in progress.
Message verdictSentence(const SideTest& test, const Message& a, const Message& b,
                        std::optional<double> minutesLeft = std::nullopt);
// "-12.3 % (90 % interval from -15.1 % to -9.04 %)": B against A.
Message differenceText(const SideTest& test);
// Assumptions behind the verdict besides the values, one sentence each.
std::vector<Message> conditionsOf(const SideTest& test, const Message& a, const Message& b);
std::string_view
firstSide(const SideTest& test); // which side ran first: "a", "b", "both", "unknown"

} // namespace ep::energy
