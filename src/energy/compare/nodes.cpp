// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/nodes.h"

#include "ep/core/tally.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace ep::energy {

namespace {

constexpr double kTwoSided95 = 1.959963984540054;

// Values of a node in one run.
struct Amount {
    std::optional<double> value; // normalised
    std::optional<double> sd; // sd of the measurement, if known
};

// The parts of a run by node; an absent node has no energy.
struct NodeAmounts {
    Amount energy_mj;
    Amount time_ms;
};

using NodeId = std::array<int, 3>; // kind, major, minor; sorted in display order
constexpr int kRun = 0;
constexpr int kPhase = 1; // phase, section or -1
constexpr int kLayer = 2; // layer, component or -1

double divisorOf(Normalisation normalisation, const RunInfo& info)
{
    const auto parameters =
        info.model.active_parameters > 0 ? info.model.active_parameters : info.model.parameters;
    switch (normalisation) {
    case Normalisation::PerRun:
        return 1.0;
    case Normalisation::PerToken:
        return info.output_tokens;
    case Normalisation::PerInputToken:
        return info.input_tokens;
    case Normalisation::PerMillionParameters:
        return static_cast<double>(parameters) / 1e6;
    }
    return 1.0;
}

// Adds spans of one run and kind; once one has no energy, the node has none. Their errors are fully
// correlated (one fit, one sensor, one offset), so standard deviations are added.
class NodeSum {
public:
    void add(const Tally& part)
    {
        m_sd += part.sd_mj.value_or(Millijoules{}).value;
        m_sdKnown = m_sdKnown && part.sd_mj;
        m_sum.add(part);
    }

    NodeAmounts over(double divisor) const
    {
        NodeAmounts amounts;
        if (!(divisor > 0.0))
            return amounts;
        amounts.time_ms.value = toMilliseconds(m_sum.duration_ns) / divisor;
        if (const auto energy = m_sum.complete()) {
            amounts.energy_mj.value = energy->value / divisor;
            if (m_sdKnown)
                amounts.energy_mj.sd = m_sd / divisor;
        }
        return amounts;
    }

private:
    Tally m_sum;
    double m_sd = 0.0;
    bool m_sdKnown = true;
};

using RunNodes = std::map<NodeId, NodeAmounts>;

RunNodes nodesOf(const ComparedRun& compared, Normalisation normalisation)
{
    const Run& run = *compared.run;
    std::map<NodeId, NodeSum> sums;
    // Times of the tree are as recorded, even if the figures are those of a clean execution.
    sums[{kRun, 0, 0}].add(tallyOf(run.trace.time, run.metrics.energy));
    for (const PhaseSpan& phase : run.trace.phases) {
        if (phase.phase != Phase::Idle)
            sums[{kPhase, static_cast<int>(phase.phase), -1}].add(
                tallyOf(phase.time, phase.energy));
    }
    for (const SectionSpan& section : run.trace.sections) {
        sums[{kPhase, static_cast<int>(section.phase), static_cast<int>(section.section)}].add(
            tallyOf(section.time, section.energy));
    }
    if (compared.totals) {
        for (const ComponentTotal& total : *compared.totals) {
            sums[{kLayer, total.layer, -1}].add(total.sum);
            sums[{kLayer, total.layer, static_cast<int>(total.component)}].add(total.sum);
        }
    }
    RunNodes nodes;
    const double divisor = divisorOf(normalisation, run.info);
    for (const auto& [id, sum] : sums)
        nodes[id] = sum.over(divisor);
    return nodes;
}

struct Side {
    std::vector<double> values;
    std::optional<double> sd; // sd of a single value
};

Side sideOf(const std::vector<RunNodes>& runs, const NodeId& id, Amount NodeAmounts::*quantity)
{
    Side side;
    for (const RunNodes& run : runs) {
        const auto found = run.find(id);
        if (found == run.end() || !(found->second.*quantity).value)
            continue;
        side.values.push_back(*(found->second.*quantity).value);
        side.sd = (found->second.*quantity).sd;
    }
    if (side.values.size() != 1)
        side.sd.reset();
    return side;
}

// Repeats: Welch's interval. Two single runs: that of the measurement, if known.
NodeCell cellOf(const Side& baseline, const Side& side, bool isBaseline)
{
    NodeCell cell;
    if (side.values.empty())
        return cell;
    cell.mean = meanOf(side.values);
    if (isBaseline || baseline.values.empty())
        return cell;
    cell.difference = *cell.mean - meanOf(baseline.values);
    const auto fewest =
        static_cast<std::int64_t>(std::min(baseline.values.size(), side.values.size()));
    if (fewest >= kFewestToTest) {
        if (const auto welch = welchTest(baseline.values, side.values))
            cell.ci95 = welch->ci95;
    } else if (baseline.sd && side.sd) {
        const double half = kTwoSided95 * std::hypot(*baseline.sd, *side.sd);
        cell.ci95 = Interval{*cell.difference - half, *cell.difference + half};
    }
    return cell;
}

std::vector<NodeCell> cellsOf(const std::vector<std::vector<RunNodes>>& groups,
                              std::size_t baseline, const NodeId& id, Amount NodeAmounts::*quantity)
{
    const Side reference = sideOf(groups[baseline], id, quantity);
    std::vector<NodeCell> cells;
    for (std::size_t g = 0; g < groups.size(); ++g)
        cells.push_back(cellOf(reference, sideOf(groups[g], id, quantity), g == baseline));
    return cells;
}

DifferenceNode describeNode(const NodeId& id)
{
    DifferenceNode node;
    const auto [kind, major, minor] = id;
    node.depth = kind == kRun ? 0 : minor < 0 ? 1 : 2;
    if (kind == kRun) {
        node.word = "run";
    } else if (kind == kPhase) {
        node.phase = static_cast<Phase>(major);
        if (minor >= 0)
            node.section = static_cast<Section>(minor);
        node.word = minor >= 0 ? name(*node.section) : name(*node.phase);
    } else {
        node.layer = major;
        if (minor >= 0)
            node.component = static_cast<Component>(minor);
        node.word =
            minor >= 0 ? std::string(name(*node.component)) : "layer " + std::to_string(major);
    }
    return node;
}

void fillLayers(const std::vector<DifferenceNode>& tree, std::size_t groups,
                LayerDifferences& layers)
{
    std::set<Component> components;
    for (const DifferenceNode& node : tree) {
        if (node.component)
            components.insert(*node.component);
        if (node.layer)
            layers.layers = std::max(layers.layers, *node.layer + 1);
    }
    layers.components.assign(components.begin(), components.end());
    const std::size_t cells = static_cast<std::size_t>(layers.layers) * components.size();
    layers.energy_mj.assign(groups, std::vector<NodeCell>(cells));
    layers.time_ms.assign(groups, std::vector<NodeCell>(cells));
    for (const DifferenceNode& node : tree) {
        if (!node.component)
            continue;
        const auto column = static_cast<std::size_t>(
            std::distance(components.begin(), components.find(*node.component)));
        const std::size_t at = static_cast<std::size_t>(*node.layer) * components.size() + column;
        for (std::size_t g = 0; g < groups; ++g) {
            layers.energy_mj[g][at] = node.energy_mj[g];
            layers.time_ms[g][at] = node.time_ms[g];
        }
    }
}

} // namespace

void compareNodes(const std::vector<RunGroup>& groups, Comparison& comparison)
{
    std::vector<std::vector<RunNodes>> all;
    std::set<NodeId> ids;
    for (const RunGroup& group : groups) {
        std::vector<RunNodes>& runs = all.emplace_back();
        for (const ComparedRun& run : group.runs) {
            runs.push_back(nodesOf(run, comparison.options.normalisation));
            for (const auto& [id, amounts] : runs.back())
                ids.insert(id);
        }
    }
    std::array<int, 3> last{-1, -1, -1}; // the latest node of each depth
    for (const NodeId& id : ids) {
        DifferenceNode node = describeNode(id);
        node.parent = node.depth == 0 ? -1 : last[static_cast<std::size_t>(node.depth) - 1];
        last[static_cast<std::size_t>(node.depth)] = static_cast<int>(comparison.tree.size());
        node.energy_mj = cellsOf(all, comparison.options.baseline, id, &NodeAmounts::energy_mj);
        node.time_ms = cellsOf(all, comparison.options.baseline, id, &NodeAmounts::time_ms);
        comparison.tree.push_back(std::move(node));
    }
    fillLayers(comparison.tree, groups.size(), comparison.layers);
}

} // namespace ep::energy
