// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/format.h"
#include "ep/energy/comparison.h"

#include <cmath>

namespace ep::energy {

namespace {

Message change(double relative)
{
    return {relative < 0.0 ? "%1 lower" : "%1 higher", formatPercent(std::abs(relative))};
}

std::string signedEnergy(double mj)
{
    return withSign(formatEnergy(Millijoules{mj}), mj);
}

std::string adjustedText(double p)
{
    return p < 0.001 ? std::string("p < 0.001") : "p = " + formatSignificant(p, 2);
}

Message repeatsText(const NodeTest& test)
{
    if (!test.repeats_needed)
        return "how many repeats would show it is not known";
    return {test.repeats_at_least ? "about %1 repeats on each side, or more, would probably show it"
                                  : "about %1 repeats on each side would probably show it",
            *test.repeats_needed};
}

} // namespace

Message sentenceOf(const Comparison& comparison, const DifferenceNode& node, std::size_t group)
{
    const NodeTest& test = node.tests[group];
    const GroupFacts& baseline = comparison.groups[comparison.options.baseline];
    switch (test.verdict) {
    case NodeVerdict::Baseline:
        return "the baseline";
    case NodeVerdict::Missing:
        return "not known on both sides";
    case NodeVerdict::OnlyInBaseline:
        return Message("only in %1", baseline.label);
    case NodeVerdict::OnlyHere:
        return Message("only in %1", comparison.groups[group].label);
    default:
        break;
    }
    Message text = test.relative ? change(*test.relative) : Message("not comparable");
    if (test.from_power_mj && test.from_time_mj) {
        text = Message("%1 (%2 by power, %3 by time)", text, signedEnergy(*test.from_power_mj),
                       signedEnergy(*test.from_time_mj));
    }
    const std::string p = test.p_adjusted ? adjustedText(*test.p_adjusted) : std::string();
    switch (test.verdict) {
    case NodeVerdict::Described:
        return sequence({text, "for these runs only, without a test", repeatsText(test)}, "; ");
    case NodeVerdict::NotTested:
        return sequence({text, "not tested"}, "; ");
    case NodeVerdict::NotSearched:
        return sequence(
            {text, "not searched, because what is above it may be chance", repeatsText(test)},
            "; ");
    case NodeVerdict::Unclear:
        return sequence({text, Message("may be chance, %1", p), repeatsText(test)}, "; ");
    case NodeVerdict::Neutral:
        return sequence({text,
                         Message("no difference above %1, %2",
                                 formatPercent(comparison.options.smallest_difference), p)},
                        "; ");
    default:
        return sequence({text, p}, "; ");
    }
}

Message explainTree(const Comparison& comparison)
{
    if (comparison.leaves == 0) {
        return "Differences without tests: a test needs at least 3 repeats on each side with "
               "values "
               "that vary.";
    }
    const std::size_t trees = comparison.groups.size() - 1;
    const Message lowest = trees > 1
        ? Message("%1 lowest nodes of %2 trees", comparison.leaves, trees)
        : Message("%1 lowest nodes", comparison.leaves);
    const char* const ofEnergy =
        "p is the probability of a difference at least as large if the mean logarithm of the "
        "energy %1 were the same on both sides (Welch), corrected over the %2 and at least that of "
        "every part above (Meinshausen): in at most 5 % of comparisons of equal configurations is "
        "anything found at all.";
    const char* const ofTime =
        "p is the probability of a difference at least as large if the mean logarithm of the time "
        "%1 were the same on both sides (Welch), corrected over the %2 and at least that of every "
        "part above (Meinshausen): in at most 5 % of comparisons of equal configurations is "
        "anything found at all.";
    return sequence(
        {Message(comparison.tested == NodeQuantity::Energy ? ofEnergy : ofTime,
                 title(comparison.options.normalisation), lowest),
         "The run itself is the figure \"energy per token\", with the p of that figure."});
}

} // namespace ep::energy
