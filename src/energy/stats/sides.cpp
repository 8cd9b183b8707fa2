// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/sides.h"

#include "ep/core/format.h"
#include "ep/energy/group_test.h"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace ep::energy {
namespace {

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

// Number of further values that would show, with 80 % power, either the difference or that no
// difference matters; the smaller of the two numbers. pairedBy: 1 for two groups; sqrt(2) for
// pairs, whose differences have a single spread.
std::optional<PairsNeeded> moreNeeded(double centre, double spread, std::int64_t have,
                                      const SideTestOptions& options, double pairedBy)
{
    std::optional<std::int64_t> fewest;
    for (const double distance :
         {std::abs(centre), std::log1p(options.smallest_difference) - std::abs(centre)}) {
        if (!(distance > 0.0) || !(spread > 0.0))
            continue;
        const auto needed = aboutRepeatsNeeded(pairedBy * distance / spread, options.error);
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
    const std::vector<double> a = logarithms(values.a);
    const std::vector<double> b = logarithms(values.b);
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
        test.p.reset(); // the test would answer another question than the interval
    }
    test.interval = relativeInterval(interval);
    test.verdict = verdictOf(interval, options.smallest_difference);
    if (test.verdict == PairedVerdict::Unknown)
        test.more_needed = moreNeeded(centre, spread, test.pairs, options, std::sqrt(2.0));
}

// Converts ratios from a / b to b / a - 1.
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

// "5.2", "41": a percentage without its sign.
std::string percentNumber(double fraction)
{
    constexpr double kPercent = 100.0;
    constexpr double kCoarse = 10.0;
    const double value = kPercent * fraction;
    return formatFixed(value, std::abs(value) < kCoarse ? 1 : 0);
}

// "3.1 % less", "at most" nothing: a change of the second side.
Message changeText(double relative)
{
    if (!std::isfinite(relative))
        return "any amount more";
    return {relative < 0.0 ? "%1 % less" : "%1 % more", percentNumber(std::abs(relative))};
}

Message wordsOf(RunFigure figure)
{
    return figure == RunFigure::JoulesPerToken ? "energy per token"
        : figure == RunFigure::Energy          ? "energy"
                                               : "time";
}

// The verdict that `cheaper` needs less than `other`.
Message cheaperText(const SideTest& test, bool aCheaper, const Message& cheaper,
                    const Message& other)
{
    const Message figure = wordsOf(test.figure);
    const auto saving = [&](double relative) { // of the cheaper side
        return aCheaper ? 1.0 - 1.0 / (1.0 + relative) : -relative;
    };
    const double one = saving(*test.relative);
    if (!test.interval)
        return {"%1 needs %2 % less %3 than %4.", cheaper, percentNumber(one), figure, other};
    const double x = saving(test.interval->low);
    const double y = saving(test.interval->high);
    const auto [low, high] = std::minmax(x, y);
    return {"%1 needs %2 % less %3 than %4 (%5 to %6 %).",
            cheaper,
            percentNumber(one),
            figure,
            other,
            percentNumber(low),
            percentNumber(high)};
}

Message moreText(const SideTest& test)
{
    const PairsNeeded& more = *test.more_needed;
    if (test.kind == SideTestKind::Welch)
        return {more.about == 1 ? "About %1 more repeat on each side would tell."
                                : "About %1 more repeats on each side would tell.",
                more.about};
    if (more.low == more.high)
        return {more.about == 1 ? "About %1 more pair would tell."
                                : "About %1 more pairs would tell.",
                more.about};
    return {more.about == 1 ? "About %1 more pair would tell (%2 to %3)."
                            : "About %1 more pairs would tell (%2 to %3).",
            more.about, more.low, more.high};
}

Message paceText(double minutesLeft)
{
    if (minutesLeft < 1.0)
        return "At this pace, that takes less than a minute.";
    const auto minutes = std::llround(minutesLeft);
    return {minutes == 1 ? "At this pace, that takes %1 minute."
                         : "At this pace, that takes %1 minutes.",
            static_cast<std::int64_t>(minutes)};
}

Message unknownText(const SideTest& test, const Message& a, const Message& b,
                    std::optional<double> minutesLeft)
{
    const Message figure = wordsOf(test.figure);
    if (test.pairs > 0 && test.pairs < kMinPairs)
        return {test.pairs == 1
                    ? "Not known yet: a verdict needs at least %1 pairs, and there is %2."
                    : "Not known yet: a verdict needs at least %1 pairs, and there are %2.",
                kMinPairs, test.pairs};
    if (!test.relative)
        return {"It is not known which of %1 and %2 needs less %3.", a, b, figure};
    if (!test.interval)
        return {"In these runs, %1 needs %2 %3 than %4; a verdict needs at least %5 repeats on "
                "each side.",
                b,
                changeText(*test.relative),
                figure,
                a,
                kMinToTest};
    Message text{"It is not known which needs less %1: %2 needs from %3 to %4 than %5.",
                 figure,
                 b,
                 changeText(test.interval->low),
                 changeText(test.interval->high),
                 a};
    std::vector<Message> sentences{std::move(text)};
    if (test.more_needed)
        sentences.push_back(moreText(test));
    if (test.more_needed && minutesLeft)
        sentences.push_back(paceText(*minutesLeft));
    return sequence(std::move(sentences));
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
    const std::vector<double> logs = logarithms(values);
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

std::vector<Message> conditionsOf(const SideTest& test, const Message& a, const Message& b)
{
    std::vector<Message> conditions;
    if (test.pairs == 0)
        return conditions;
    const Message& first = test.a_first > test.b_first ? a : b;
    if (test.a_first + test.b_first == 0)
        conditions.emplace_back(
            "It is not known which setting ran first in the pairs, so a drift within them may look "
            "like a difference.");
    else if (test.a_first == 0 || test.b_first == 0)
        conditions.push_back(
            Message("%1 ran first in every pair, so what running first costs may look like a "
                    "difference: only one above 10 % is called one. Let the order be random.",
                    first));
    else if (nearlyOneOrder(test.a_first, test.b_first, test.pairs_used))
        conditions.push_back(
            Message("%1 ran first in nearly every pair, so what running first costs may look like "
                    "a difference: only one above 10 % is called one. Let the order be random.",
                    first));
    if (test.correlation)
        conditions.push_back(Message(
            "Successive pairs resemble each other (correlation %1), so they tell less than "
            "as many independent ones, and a difference that comes and goes slowly may look "
            "lasting.",
            formatFixed(*test.correlation, 2)));
    return conditions;
}

Message differenceText(const SideTest& test)
{
    if (!test.relative)
        return kMissingText;
    if (!test.interval)
        return formatSignedPercent(*test.relative);
    return {"%1 (%2 % interval from %3 to %4)", formatSignedPercent(*test.relative),
            formatSignificant(100.0 * test.confidence, 3), formatSignedPercent(test.interval->low),
            formatSignedPercent(test.interval->high)};
}

Message verdictSentence(const SideTest& test, const Message& a, const Message& b,
                        std::optional<double> minutesLeft)
{
    std::vector<Message> sentences;
    switch (test.verdict) {
    case PairedVerdict::ACheaper:
        sentences.push_back(cheaperText(test, true, a, b));
        break;
    case PairedVerdict::BCheaper:
        sentences.push_back(cheaperText(test, false, b, a));
        break;
    case PairedVerdict::NoDifference:
        sentences.push_back(Message("%1 and %2 differ by no more than %3 % in %4.", a, b,
                                    percentNumber(test.smallest_difference), wordsOf(test.figure)));
        break;
    case PairedVerdict::Unknown:
        sentences.push_back(unknownText(test, a, b, minutesLeft));
        break;
    }
    for (Message& condition : conditionsOf(test, a, b))
        sentences.push_back(std::move(condition));
    return sequence(std::move(sentences));
}

} // namespace ep::energy
