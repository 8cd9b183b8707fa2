// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

// Finds which nodes of a tree differ between two groups of repeats, with one error rate for the
// whole tree. Pure functions.
namespace ep::energy {

inline constexpr double kFamilyError = 0.05; // error rate of all tests of a tree together

// A node comes after its parent. Without a p-value, a node is not a hypothesis, is not counted, and
// does not gate the nodes below it.
struct TestedNode {
    int parent = -1; // index; -1: none
    std::optional<double> p{};
};

// Adjusts p-values after Meinshausen (2008), doi 10.1093/biomet/asn007: p m / (leaves below the
// node), at most 1, and at least that of every ancestor; m is the number of leaves. Rejecting what
// is below alpha keeps the probability of any false rejection below alpha, however the tests depend
// on each other: the first true hypothesis to be rejected has no true one above it, and the leaves
// of such hypotheses are disjoint. `trees`: how many such trees share the error rate.
std::vector<std::optional<double>> hierarchicallyAdjusted(std::span<const TestedNode> nodes,
                                                          std::int64_t trees = 1);

// The repeats of one node on both sides.
struct NodeValues {
    int parent = -1;
    bool in_a = true; // whether the side has such a node, perhaps without values
    bool in_b = true;
    bool tested = true; // false: has no hypothesis of its own
    std::vector<double> a{};
    std::vector<double> b{};
    std::optional<double> sd_a{}; // for a single value, from its measurement
    std::optional<double> sd_b{};
};

enum class NodeVerdict : std::uint8_t {
    Missing, // unknown on one side or both
    Baseline,
    OnlyInBaseline,
    OnlyHere,
    Described, // too few repeats for a test
    NotTested, // no hypothesis: a remainder, or values that do not vary or are not positive
    NotSearched, // a node above it may differ by chance only
    Unclear, // may be chance
    Neutral, // more than chance, but too small to matter
    Lower,
    Higher,
};
std::string_view name(NodeVerdict verdict); // "not_searched"
std::string_view title(NodeVerdict verdict); // "may be chance"; sentenceOf() is the long form
constexpr bool isFound(NodeVerdict verdict)
{
    return verdict == NodeVerdict::Neutral || verdict == NodeVerdict::Lower
        || verdict == NodeVerdict::Higher;
}

struct NodeTest {
    NodeVerdict verdict = NodeVerdict::Missing;
    std::optional<double> relative{}; // from Welch's test on the logarithms, uncorrected
    std::optional<double> p{}; // of Welch's test on the logarithms, uncorrected
    std::optional<double> p_adjusted{}; // corrected in the hierarchy
    // Repeats per side that would show this difference at this node with 80 % power; a lower bound
    // if the spread is only that of a single measurement.
    std::optional<std::int64_t> repeats_needed{};
    bool repeats_at_least = false;
    // The difference of the energies in mJ, as two parts that add up to it.
    std::optional<double> from_power_mj{};
    std::optional<double> from_time_mj{};

    bool operator==(const NodeTest&) const = default;
};

struct TreeTests {
    std::vector<NodeTest> nodes;
    std::int64_t leaves = 0; // number of leaves m; 0: nothing was tested
};
// smallestDifference: relative differences up to this do not matter.
TreeTests testTree(std::span<const NodeValues> nodes, double smallestDifference,
                   std::int64_t trees = 1);

// E = P t: splits the difference of two energies by the logarithmic mean (Ang 2004, doi
// 10.1016/j.enpol.2003.10.010): L(E1, E0) ln(P1 / P0) + L(E1, E0) ln(t1 / t0), with no remainder.
struct EnergySplit {
    double from_power = 0.0;
    double from_time = 0.0;
};
// Absent unless all four are positive.
std::optional<EnergySplit> splitDifference(double energyA, double timeA, double energyB,
                                           double timeB);

} // namespace ep::energy
