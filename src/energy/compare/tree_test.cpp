// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/tree_test.h"

#include "compare/properties.h"

#include "ep/core/enum_words.h"
#include "ep/core/format.h"
#include "ep/energy/comparison.h"
#include "ep/energy/group_test.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace ep::energy {
namespace {

constexpr std::array kNodeWords{
    "missing",      "baseline", "only_in_baseline", "only_here", "described", "not_tested",
    "not_searched", "unclear",  "neutral",          "lower",     "higher"};
constexpr std::array kNodeTitles{"not known on both sides",
                                 "baseline",
                                 "only in the baseline",
                                 "only here",
                                 "these runs only",
                                 "not tested",
                                 "may be chance",
                                 "may be chance",
                                 "no difference",
                                 "lower",
                                 "higher"};

std::size_t indexOf(int node)
{
    return static_cast<std::size_t>(node);
}

// Number of leaf hypotheses (those with none below them) at or below each node.
std::vector<std::int64_t> leavesBelow(std::span<const TestedNode> nodes)
{
    std::vector<std::int64_t> leaves(nodes.size(), 0);
    for (std::size_t i = nodes.size(); i-- > 0;) {
        if (leaves[i] == 0 && nodes[i].p)
            leaves[i] = 1;
        if (nodes[i].parent >= 0)
            leaves[indexOf(nodes[i].parent)] += leaves[i];
    }
    return leaves;
}

std::int64_t allLeaves(std::span<const TestedNode> nodes, const std::vector<std::int64_t>& leaves)
{
    std::int64_t all = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        all += nodes[i].parent < 0 ? leaves[i] : 0;
    return all;
}

// Relative spread of the repeats of a node.
struct Spread {
    double sd = 0.0;
    bool at_least = false;
};

std::optional<Spread> spreadOf(const NodeValues& node, const std::vector<double>& logA,
                               const std::vector<double>& logB)
{
    double squares = 0.0;
    double df = 0.0;
    for (const std::vector<double>* logs : {&logA, &logB}) {
        if (const auto sd = sampleSd(*logs)) {
            const double own = static_cast<double>(logs->size()) - 1.0;
            squares += own * *sd * *sd;
            df += own;
        }
    }
    if (df > 0.0)
        return Spread{.sd = std::sqrt(squares / df), .at_least = false};
    if (node.a.size() == 1 && node.b.size() == 1 && node.sd_a && node.sd_b) {
        return Spread{.sd = std::hypot(*node.sd_a / node.a[0], *node.sd_b / node.b[0])
                          / std::sqrt(2.0),
                      .at_least = true};
    }
    return std::nullopt;
}

void recommendRepeats(const NodeValues& node, double alpha, NodeTest& test)
{
    const auto logA = logarithms(node.a);
    const auto logB = logarithms(node.b);
    if (logA.empty() || logB.empty() || !(alpha > 0.0))
        return;
    const auto spread = spreadOf(node, logA, logB);
    if (!spread || !(spread->sd > 0.0))
        return;
    const double effect = (meanOf(logB) - meanOf(logA)) / spread->sd;
    test.repeats_needed = aboutRepeatsNeeded(effect, alpha);
    if (test.repeats_needed)
        test.repeats_needed = std::max(*test.repeats_needed, kMinToTest);
    test.repeats_at_least = spread->at_least;
}

bool enough(const NodeValues& node)
{
    return static_cast<std::int64_t>(std::min(node.a.size(), node.b.size())) >= kMinToTest;
}

std::optional<double> pOf(const NodeValues& node)
{
    if (!node.tested || !enough(node))
        return std::nullopt;
    const auto welch = welchTest(logarithms(node.a), logarithms(node.b));
    return welch ? std::optional(welch->p) : std::nullopt;
}

// Verdict on the node alone, regardless of its ancestors' verdicts.
NodeVerdict ownVerdict(const NodeValues& node, const NodeTest& test, double smallestDifference)
{
    if (node.in_a != node.in_b)
        return node.in_a ? NodeVerdict::OnlyInBaseline : NodeVerdict::OnlyHere;
    if (node.a.empty() || node.b.empty())
        return NodeVerdict::Missing;
    if (!enough(node))
        return NodeVerdict::Described;
    if (!node.tested || !test.p_adjusted)
        return NodeVerdict::NotTested;
    if (*test.p_adjusted >= kFamilyError)
        return NodeVerdict::Unclear;
    const double relative = test.relative.value_or(0.0);
    if (std::abs(relative) <= smallestDifference)
        return NodeVerdict::Neutral;
    return relative < 0.0 ? NodeVerdict::Lower : NodeVerdict::Higher;
}

// L(x, y) = (x - y) / ln(x / y), without loss of digits where x is nearly y.
double logarithmicMean(double x, double y)
{
    const double excess = (x - y) / y;
    return excess == 0.0 ? y : (x - y) / std::log1p(excess);
}

Message change(double relative)
{
    return {relative < 0.0 ? "%1 lower" : "%1 higher", formatPercent(std::abs(relative))};
}

std::string signedEnergy(double mj)
{
    return withSign(formatEnergy(Millijoules{mj}), mj);
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

std::string pText(double p)
{
    const std::string text = formatProbability(p);
    return (text.starts_with('<') ? "p " : "p = ") + text;
}

std::string_view name(NodeVerdict verdict)
{
    return wordOf(kNodeWords, verdict);
}

std::string_view title(NodeVerdict verdict)
{
    return wordOf(kNodeTitles, verdict);
}

std::vector<std::optional<double>> hierarchicallyAdjusted(std::span<const TestedNode> nodes,
                                                          std::int64_t trees)
{
    const auto leaves = leavesBelow(nodes);
    const auto m = static_cast<double>(allLeaves(nodes, leaves) * trees);
    std::vector<std::optional<double>> adjusted(nodes.size());
    std::vector<double> above(nodes.size(), 0.0); // largest adjusted p of a node and its ancestors
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        above[i] = nodes[i].parent >= 0 ? above[indexOf(nodes[i].parent)] : 0.0;
        if (!nodes[i].p)
            continue;
        above[i] =
            std::max(above[i], std::min(1.0, *nodes[i].p * m / static_cast<double>(leaves[i])));
        adjusted[i] = above[i];
    }
    return adjusted;
}

TreeTests testTree(std::span<const NodeValues> nodes, double smallestDifference, std::int64_t trees)
{
    std::vector<NodeTest> tests(nodes.size());
    std::vector<TestedNode> tested;
    std::vector<TestedNode> hypotheses; // left untested if there are too few repeats
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const NodeValues& node = nodes[i];
        if (!node.a.empty() && !node.b.empty() && meanOf(node.a) > 0.0)
            tests[i].relative = (meanOf(node.b) - meanOf(node.a)) / meanOf(node.a);
        tests[i].p = pOf(node);
        tested.push_back({node.parent, tests[i].p});
        const bool comparable = node.tested && !node.a.empty() && !node.b.empty();
        hypotheses.push_back({node.parent, comparable ? std::optional(1.0) : std::nullopt});
    }
    const auto adjusted = hierarchicallyAdjusted(tested, trees);
    const auto leaves = leavesBelow(hypotheses);
    const std::int64_t m = allLeaves(hypotheses, leaves) * trees;
    std::vector<bool> closed(nodes.size(), false); // nodes below which nothing is tested
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        NodeTest& test = tests[i];
        test.p_adjusted = adjusted[i];
        test.verdict = ownVerdict(nodes[i], test, smallestDifference);
        const bool below = nodes[i].parent >= 0 && closed[indexOf(nodes[i].parent)];
        closed[i] = below || test.verdict == NodeVerdict::Unclear;
        if (below && test.verdict == NodeVerdict::Unclear)
            test.verdict = NodeVerdict::NotSearched;
        if (test.verdict == NodeVerdict::Described || test.verdict == NodeVerdict::Unclear
            || test.verdict == NodeVerdict::NotSearched) {
            const double alpha =
                kFamilyError * static_cast<double>(leaves[i]) / static_cast<double>(m);
            recommendRepeats(nodes[i], alpha, test);
        }
    }
    return {.nodes = std::move(tests), .leaves = allLeaves(tested, leavesBelow(tested))};
}

std::optional<EnergySplit> splitDifference(double energyA, double timeA, double energyB,
                                           double timeB)
{
    if (!(energyA > 0.0) || !(timeA > 0.0) || !(energyB > 0.0) || !(timeB > 0.0))
        return std::nullopt;
    const double fromTime = logarithmicMean(energyB, energyA) * std::log(timeB / timeA);
    return EnergySplit{.from_power = (energyB - energyA) - fromTime, .from_time = fromTime};
}

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
    const std::string p = test.p_adjusted ? pText(*test.p_adjusted) : std::string();
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
