// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/sides.h"

#include "ep/energy/group_test.h"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace ep::energy {

namespace {

// Empty unless all values are above 0.
std::vector<double> logsOf(const std::vector<double>& values)
{
    std::vector<double> logs;
    for (const double value : values) {
        if (!(value > 0.0))
            return {};
        logs.push_back(std::log(value));
    }
    return logs;
}

Interval relativeInterval(const Interval& logs)
{
    return {.low = std::expm1(logs.low), .high = std::expm1(logs.high)};
}

// The verdict that an interval of log(b / a) allows.
PairedVerdict verdictOf(const Interval& logs, double smallestDifference)
{
    const double matters = std::log1p(smallestDifference);
    if (logs.low >= -matters && logs.high <= matters)
        return PairedVerdict::NoDifference;
    return logs.low > 0.0 ? PairedVerdict::ACheaper
        : logs.high < 0.0 ? PairedVerdict::BCheaper
                          : PairedVerdict::Unknown;
}

// More values that would show the difference, or that there is none that matters, with 80 % power,
// whichever needs fewer. pairedBy: 1 for two groups, sqrt(2) for pairs, which have one spread.
std::optional<PairsNeeded> moreNeeded(double centre, double spread, std::int64_t have,
                                      const SideTestOptions& options, double pairedBy)
{
    constexpr double kPower = 0.8;
    std::optional<std::int64_t> fewest;
    for (const double distance :
         {std::abs(centre), std::log1p(options.smallest_difference) - std::abs(centre)}) {
        if (!(distance > 0.0) || !(spread > 0.0))
            continue;
        const auto needed = aboutRepeatsNeeded(pairedBy * distance / spread, kPower, options.error);
        if (needed)
            fewest = std::min(*needed, fewest.value_or(*needed));
    }
    if (!fewest)
        return std::nullopt;
    const std::int64_t more = std::max<std::int64_t>(1, *fewest - have);
    return PairsNeeded{.about = more, .low = more, .high = more};
}

void testGroups(const SideValues& values, const SideTestOptions& options, SideTest& test)
{
    const std::vector<double> a = logsOf(values.a);
    const std::vector<double> b = logsOf(values.b);
    const double base = std::abs(meanOf(values.a));
    if (a.empty() || b.empty()) {
        if (base != 0.0)
            test.relative = test.difference / base;
        test.reason = "No p-value: a value is not above zero.";
        return;
    }
    const double centre = meanOf(b) - meanOf(a);
    test.relative = std::expm1(centre);
    if (std::min(test.n_a, test.n_b) < kMinToTest) {
        test.reason = Message(
            "No p-value: a test needs at least 3 repeats on each side, and there are %1 and %2.",
            test.n_a, test.n_b);
        return;
    }
    Interval logs{centre, centre};
    if (const auto welch = welchTest(a, b, options.error)) {
        logs = welch->interval;
        test.kind = SideTestKind::Welch;
        test.p = welch->p;
        test.statistic = welch->t;
        test.df = welch->df;
        test.hedges_g = hedgesG(a, b);
        test.reason = "Welch's t-test of the logarithms.";
    } else {
        test.reason = "No p-value: the values do not vary.";
    }
    test.interval = relativeInterval(logs);
    test.verdict = verdictOf(logs, options.smallest_difference);
    if (test.verdict == PairedVerdict::Unknown) {
        const double spread =
            std::sqrt((std::pow(*sampleSd(a), 2.0) * static_cast<double>(test.n_a - 1)
                       + std::pow(*sampleSd(b), 2.0) * static_cast<double>(test.n_b - 1))
                      / static_cast<double>(test.n_a + test.n_b - 2));
        test.more_needed = moreNeeded(centre, spread, std::min(test.n_a, test.n_b), options, 1.0);
    }
}

void testPairs(const SideValues& values, const SideTestOptions& options, SideTest& test)
{
    std::vector<double> logs;
    for (const PairedRatio& pair : values.pairs)
        logs.push_back(-pair.log_ratio);
    const double centre = meanOf(logs);
    test.relative = std::expm1(centre);
    if (test.pairs < kMinPairs) {
        test.reason =
            Message("No p-value: a test needs at least 3 pairs, and there are %1.", test.pairs);
        return;
    }
    test.kind = SideTestKind::Pairs;
    test.reason = "Student's t-test of the logarithms of the pairs' ratios.";
    const double spread = *sampleSd(logs);
    Interval interval = *studentInterval(logs, options.error);
    if (spread > 0.0) {
        test.df = static_cast<double>(test.pairs - 1);
        test.statistic = centre / spread * std::sqrt(static_cast<double>(test.pairs));
        test.p = 2.0
            * boost::math::cdf(boost::math::complement(boost::math::students_t(test.df),
                                                       std::abs(test.statistic)));
    }
    if (nearlyOneOrder(test.a_first, test.b_first, test.pairs)) {
        interval.low -= std::log1p(kMostOfOrder);
        interval.high += std::log1p(kMostOfOrder);
        test.p.reset(); // its question would be another one than the interval's
    }
    test.interval = relativeInterval(interval);
    test.verdict = verdictOf(interval, options.smallest_difference);
    if (test.verdict == PairedVerdict::Unknown)
        test.more_needed = moreNeeded(centre, spread, test.pairs, options, std::sqrt(2.0));
}

// From a / b to b / a - 1.
void takeEstimate(const PairedEstimate& estimate, SideTest& test)
{
    test.relative = 1.0 / estimate.ratio - 1.0;
    if (estimate.interval)
        test.interval = {1.0 / estimate.interval->high - 1.0, 1.0 / estimate.interval->low - 1.0};
}

void takeResult(const PairedResult& result, SideTest& test)
{
    test.kind = SideTestKind::PairsUntilKnown;
    test.reason = "Bets on the pairs, whose interval holds however often it is looked at.";
    test.verdict = result.verdict;
    test.pairs_used = result.pairs_used;
    test.more_needed = result.pairs_needed;
    test.correlation = result.correlation;
    takeEstimate(result.estimate, test);
}

void testBets(const SideValues& values, const SideTestOptions& options, SideTest& test)
{
    const PairedTestOptions bets{.smallest_difference = options.smallest_difference,
                                 .interval_error = 2.0 * options.error};
    test.confidence = 1.0 - bets.interval_error;
    if (values.decides)
        return takeResult(decidePairs(values.pairs, bets), test);
    takeResult({.pairs_used = test.pairs, .estimate = estimatePairs(values.pairs, bets)}, test);
    if (test.interval)
        test.verdict = verdictOf({std::log1p(test.interval->low), std::log1p(test.interval->high)},
                                 options.smallest_difference);
}

void countOrders(std::span<const PairedRatio> pairs, SideTest& test)
{
    test.a_first = std::ranges::count(pairs, PairOrder::AFirst, &PairedRatio::order);
    test.b_first = std::ranges::count(pairs, PairOrder::BFirst, &PairedRatio::order);
}

} // namespace

std::string_view name(SideTestKind kind)
{
    constexpr std::array<std::string_view, 4> kNames{"none", "welch", "pairs", "pairs_until_known"};
    return kNames.at(static_cast<std::size_t>(kind));
}

SideTest testSides(const SideValues& values, const SideTestOptions& options)
{
    SideTest test{.figure = values.figure,
                  .smallest_difference = options.smallest_difference,
                  .difference = meanOf(values.b) - meanOf(values.a),
                  .confidence = 1.0 - options.error,
                  .n_a = std::ssize(values.a),
                  .n_b = std::ssize(values.b),
                  .pairs = std::ssize(values.pairs),
                  .pairs_used = std::ssize(values.pairs)};
    countOrders(values.pairs, test);
    if (values.pairs.empty())
        testGroups(values, options, test);
    else if (values.until_known)
        testBets(values, options, test);
    else
        testPairs(values, options, test);
    countOrders(std::span(values.pairs).first(static_cast<std::size_t>(test.pairs_used)), test);
    return test;
}

std::optional<double> relativeHalfWidth(const std::vector<double>& values)
{
    const std::vector<double> logs = logsOf(values);
    if (std::ssize(logs) < kMinToTest)
        return std::nullopt;
    const Interval interval = *studentInterval(logs);
    return std::expm1((interval.high - interval.low) / 2.0);
}

SideTest testOf(const PairedResult& result, double smallestDifference)
{
    SideTest test{.smallest_difference = smallestDifference,
                  .confidence = 1.0 - PairedTestOptions().interval_error,
                  .n_a = result.pairs_used,
                  .n_b = result.pairs_used,
                  .pairs = result.pairs_used};
    takeResult(result, test);
    return test;
}

std::string_view firstSide(const SideTest& test)
{
    return test.a_first + test.b_first == 0 ? "unknown"
        : test.b_first == 0                 ? "a"
        : test.a_first == 0                 ? "b"
                                            : "both";
}

} // namespace ep::energy
