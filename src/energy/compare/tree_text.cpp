// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/format.h"
#include "ep/energy/comparison.h"

#include <cmath>

namespace ep::energy {

namespace {

std::string change(double relative)
{
    return formatPercent(std::abs(relative)) + (relative < 0.0 ? " lower" : " higher");
}

std::string signedEnergy(double mj)
{
    const std::string text = formatEnergy(Millijoules{mj});
    const bool noise = text == formatEnergy(Millijoules{0.0}); // rounded to zero
    return mj > 0.0 && !noise ? '+' + text : text;
}

std::string adjustedText(double p)
{
    return p < 0.001 ? std::string("p < 0.001") : "p = " + formatSignificant(p, 2);
}

std::string repeatsText(const NodeTest& test)
{
    if (!test.repeats_needed)
        return "; how many repeats would show it is not known";
    return "; about " + std::to_string(*test.repeats_needed) + " repeats on each side"
        + (test.repeats_at_least ? ", or more," : "") + " would probably show it";
}

} // namespace

std::string sentenceOf(const Comparison& comparison, const DifferenceNode& node, std::size_t group)
{
    const NodeTest& test = node.tests[group];
    const GroupFacts& baseline = comparison.groups[comparison.options.baseline];
    switch (test.verdict) {
    case NodeVerdict::Baseline:
        return "the baseline";
    case NodeVerdict::Missing:
        return "not known on both sides";
    case NodeVerdict::OnlyInBaseline:
        return "only in " + baseline.label;
    case NodeVerdict::OnlyHere:
        return "only in " + comparison.groups[group].label;
    default:
        break;
    }
    std::string text = test.relative ? change(*test.relative) : std::string("not comparable");
    if (test.from_power_mj && test.from_time_mj) {
        text += " (" + signedEnergy(*test.from_power_mj) + " by power, "
            + signedEnergy(*test.from_time_mj) + " by time)";
    }
    const std::string p = test.p_adjusted ? adjustedText(*test.p_adjusted) : std::string();
    switch (test.verdict) {
    case NodeVerdict::Described:
        return text + "; for these runs only, without a test" + repeatsText(test);
    case NodeVerdict::NotTested:
        return text + "; not tested";
    case NodeVerdict::NotSearched:
        return text + "; not searched, because what is above it may be chance" + repeatsText(test);
    case NodeVerdict::Unclear:
        return text + "; may be chance, " + p + repeatsText(test);
    case NodeVerdict::Neutral:
        return text + "; within the neutral zone of " + formatPercent(comparison.options.neutral)
            + ", " + p;
    default:
        return text + "; " + p;
    }
}

std::string explainTree(const Comparison& comparison)
{
    const std::string what = comparison.tested == NodeQuantity::Energy ? "energy " : "time ";
    if (comparison.leaves == 0) {
        return "Differences without tests: a test needs at least 3 repeats on each side with "
               "values "
               "that vary.";
    }
    const std::size_t trees = comparison.groups.size() - 1;
    return "p is the probability of a difference at least as large if the mean logarithm of the "
        + what + std::string(title(comparison.options.normalisation))
        + " were the same on both sides (Welch), corrected over the "
        + std::to_string(comparison.leaves) + " lowest nodes"
        + (trees > 1 ? " of " + std::to_string(trees) + " trees" : std::string())
        + " and at least that of every part above (Meinshausen): in at most 5 % of comparisons of "
          "equal configurations is anything found at all. The run itself is the figure \"energy "
          "per token\", with the p of that figure.";
}

} // namespace ep::energy
