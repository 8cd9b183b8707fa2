// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/format.h"
#include "ep/energy/sides.h"

#include <algorithm>
#include <cmath>

namespace ep::energy {

namespace {

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

std::string signedPercent(double relative)
{
    return std::isfinite(relative) ? withSign(formatPercent(relative), relative) : "+∞ %";
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
        return signedPercent(*test.relative);
    return {"%1 (%2 % interval from %3 to %4)", signedPercent(*test.relative),
            formatSignificant(100.0 * test.confidence, 3), signedPercent(test.interval->low),
            signedPercent(test.interval->high)};
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
