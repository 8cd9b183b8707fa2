// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/properties.h"

#include "ep/core/format.h"
#include "ep/core/tally.h"
#include "ep/energy/group_test.h"

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ep::energy {
namespace {

// The nodes of a difference tree: their identity, order and names.

// A part and, below it, a layer or phase; sorts in display order.
struct NodeId {
    int part = kRun;
    int child = kPart;

    auto operator<=>(const NodeId&) const = default;

    static constexpr int kRun = -1;
    static constexpr int kPart = -1; // the part itself
    // Components and the rest of the layers take the place of the section "layers".
    static constexpr int kComponents = 1000;
    static constexpr int kRestOfLayers = 1999;
    static constexpr int kSections = 2000;
    static constexpr int kRestOfRun = 3000;

    static NodeId of(Section section)
    {
        const int order = static_cast<int>(section);
        return {.part = section < Section::Layers ? order : kSections + order};
    }
    static NodeId of(Component component)
    {
        return {.part = kComponents + static_cast<int>(component)};
    }
    NodeId below(int index) const { return {.part = part, .child = index}; }
};

int layersOf(const RunGroup& group)
{
    int layers = 0;
    for (const ComparedRun& run : group.runs) {
        if (run.totals && !run.totals->empty())
            layers = std::max(layers, run.totals->back().layer + 1);
    }
    return layers;
}

// Number of rows that the layers of all groups share; a layer's row is its relative depth.
struct LayerRows {
    std::vector<int> layers; // number of layers of each group; 0: unknown
    int rows = 0;

    explicit LayerRows(const std::vector<RunGroup>& groups)
    {
        for (const RunGroup& group : groups) {
            layers.push_back(layersOf(group));
            if (layers.back() > 0)
                rows = rows == 0 ? layers.back() : std::min(rows, layers.back());
        }
    }

    int rowOf(int layer, std::size_t group) const { return layer * rows / layers[group]; }
    bool differ() const
    {
        return std::any_of(layers.begin(), layers.end(),
                           [&](int count) { return count != 0 && count != rows; });
    }
    // "3"; "3/6-7" if the second group has twice as many layers.
    std::string label(int row) const
    {
        if (!differ())
            return std::to_string(row);
        std::string text;
        for (const int count : layers) {
            if (count == 0)
                continue;
            const int first = (row * count + rows - 1) / rows;
            const int last = ((row + 1) * count + rows - 1) / rows - 1;
            text += (text.empty() ? "" : "/") + std::to_string(first)
                + (last > first ? "-" + std::to_string(last) : std::string());
        }
        return text;
    }
};

// The node without its values and its parent.
DifferenceNode describeNode(const NodeId& id, const LayerRows& rows)
{
    using Kind = DifferenceNode::Kind;
    DifferenceNode node;
    node.depth = id.part == NodeId::kRun ? 0 : id.child == NodeId::kPart ? 1 : 2;
    if (id.part == NodeId::kRun) {
        node.word = "run";
    } else if (id.part == NodeId::kRestOfLayers || id.part == NodeId::kRestOfRun) {
        node.kind = id.part == NodeId::kRestOfRun ? Kind::RestOfRun : Kind::RestOfLayers;
        node.word = inText(
            title(node.kind == Kind::RestOfRun ? Remainder::RestOfRun : Remainder::RestOfLayers));
    } else if (id.part >= NodeId::kComponents && id.part < NodeId::kRestOfLayers) {
        node.kind = Kind::Component;
        node.component = static_cast<Component>(id.part - NodeId::kComponents);
        node.word = name(*node.component);
        if (node.depth == 2) {
            node.layer = id.child;
            const std::string label = rows.label(id.child);
            const bool several = label.find_first_of("-/") != std::string::npos;
            node.word = (several ? "layers " : "layer ") + label;
        }
    } else {
        node.kind = Kind::Section;
        node.section = static_cast<Section>(id.part % NodeId::kComponents);
        node.word = name(*node.section);
        if (node.depth == 2) {
            node.phase = static_cast<Phase>(id.child);
            node.word = name(*node.phase);
        }
    }
    return node;
}

// Values of a node in one run.
struct NodeAmount {
    std::optional<double> value; // normalised
    std::optional<double> sd; // sd of the measurement, if known
};

// Energy and time of one node in one run.
struct NodeAmounts {
    NodeAmount energy_mj;
    NodeAmount time_ms;
};

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

// The values of a node; no energy if any span lacks one.
NodeAmounts amountsOf(const Tally& sum, double divisor)
{
    NodeAmounts amounts;
    if (!(divisor > 0.0))
        return amounts;
    amounts.time_ms.value = toMilliseconds(sum.duration_ns) / divisor;
    if (const auto energy = sum.complete()) {
        amounts.energy_mj.value = energy->value / divisor;
        if (sum.sd_mj)
            amounts.energy_mj.sd = sum.sd_mj->value / divisor;
    }
    return amounts;
}

using RunNodes = std::map<NodeId, NodeAmounts>;

RunNodes nodesOf(const ComparedRun& compared, std::size_t group, const LayerRows& rows,
                 Normalisation normalisation)
{
    const Run& run = *compared.run;
    std::map<NodeId, Tally> sums;
    const Tally whole = tallyOf(run.trace.time, run.metrics.energy);
    sums[{}].add(whole);
    Tally parts;
    Tally components;
    Tally layers;
    if (compared.totals) {
        for (const ComponentTotal& total : *compared.totals) {
            const NodeId part = NodeId::of(total.component);
            sums[part].add(total.sum);
            sums[part.below(rows.rowOf(total.layer, group))].add(total.sum);
            components.add(total.sum);
        }
    }
    for (const Span& section : run.trace.sections) {
        const Tally sum = tallyOf(section);
        parts.add(sum);
        if (section.section == Section::Layers && components.spans > 0) {
            layers.add(sum);
            continue;
        }
        const NodeId part = NodeId::of(section.section);
        sums[part].add(sum);
        sums[part.below(static_cast<int>(section.phase))].add(sum);
    }
    if (components.spans > 0 && layers.spans > 0)
        sums[{.part = NodeId::kRestOfLayers}] = layers - components;
    if (parts.spans > 0)
        sums[{.part = NodeId::kRestOfRun}] = whole - parts;
    RunNodes nodes;
    const double divisor = divisorOf(normalisation, run.info);
    for (const auto& [id, sum] : sums)
        nodes[id] = amountsOf(sum, divisor);
    return nodes;
}

struct Side {
    bool present = false; // a run has the node, perhaps without a value
    std::vector<double> values;
    std::optional<double> sd; // sd of a single value
};

Side sideOf(const std::vector<RunNodes>& runs, const NodeId& id, NodeAmount NodeAmounts::*quantity)
{
    Side side;
    for (const RunNodes& run : runs) {
        const auto found = run.find(id);
        if (found == run.end())
            continue;
        side.present = true;
        if (!(found->second.*quantity).value)
            continue;
        side.values.push_back(*(found->second.*quantity).value);
        side.sd = (found->second.*quantity).sd;
    }
    if (side.values.size() != 1)
        side.sd.reset();
    return side;
}

// The interval is Welch's; as in the figures, fewer than three repeats on a side have none.
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
    if (fewest >= kMinToTest) {
        if (const auto welch = welchTest(baseline.values, side.values))
            cell.ci95 = welch->interval;
    }
    return cell;
}

using AllRuns = std::vector<std::vector<RunNodes>>; // by group

std::vector<NodeCell> cellsOf(const AllRuns& groups, std::size_t baseline, const NodeId& id,
                              NodeAmount NodeAmounts::*quantity)
{
    const Side reference = sideOf(groups[baseline], id, quantity);
    std::vector<NodeCell> cells;
    for (std::size_t g = 0; g < groups.size(); ++g)
        cells.push_back(cellOf(reference, sideOf(groups[g], id, quantity), g == baseline));
    return cells;
}

void fillLayers(const std::vector<DifferenceNode>& tree, std::size_t groups, const LayerRows& rows,
                LayerDifferences& layers)
{
    std::set<Component> components;
    for (const DifferenceNode& node : tree) {
        if (node.component)
            components.insert(*node.component);
    }
    layers.layers = rows.rows;
    for (int row = 0; row < rows.rows; ++row)
        layers.labels.push_back(rows.label(row));
    layers.components.assign(components.begin(), components.end());
    const std::size_t cells = static_cast<std::size_t>(layers.layers) * components.size();
    layers.energy_mj.assign(groups, std::vector<NodeCell>(cells));
    layers.time_ms.assign(groups, std::vector<NodeCell>(cells));
    for (const DifferenceNode& node : tree) {
        if (!node.layer)
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

// All nodes that occur in any run. A section that occurs in one phase only has no node for that
// phase.
std::vector<NodeId> idsOf(const AllRuns& groups, std::map<int, Phase>& onlyPhase)
{
    std::set<NodeId> all;
    for (const auto& runs : groups) {
        for (const RunNodes& run : runs) {
            for (const auto& [id, amounts] : run)
                all.insert(id);
        }
    }
    std::map<int, std::vector<int>> phases; // phases of each section
    for (const NodeId& id : all) {
        if (id.child != NodeId::kPart
            && (id.part < NodeId::kComponents || id.part >= NodeId::kSections))
            phases[id.part].push_back(id.child);
    }
    for (const auto& [part, children] : phases) {
        if (children.size() == 1) {
            onlyPhase[part] = static_cast<Phase>(children.front());
            all.erase({.part = part, .child = children.front()});
        }
    }
    return {all.begin(), all.end()};
}

NodeValues valuesOf(const Side& a, const Side& b, const DifferenceNode& node)
{
    using Kind = DifferenceNode::Kind;
    return {.parent = node.depth < 2 ? -1 : node.parent, // the run's test does not gate parts
            .in_a = a.present,
            .in_b = b.present,
            .tested = node.kind == Kind::Section || node.kind == Kind::Component,
            .a = a.values,
            .b = b.values,
            .sd_a = a.sd,
            .sd_b = b.sd};
}

// The node of the run equals the figure "energy per token", which has been tested already.
void copyFigure(const Comparison& comparison, std::size_t group, NodeTest& test)
{
    const MetricRow* row = comparison.row(RunFigure::JoulesPerToken);
    if (!row || comparison.tested != NodeQuantity::Energy
        || comparison.options.normalisation != Normalisation::PerToken || !row->groups[group].test)
        return;
    const MetricCell& cell = row->groups[group];
    const SideTest& figure = *cell.test;
    test.p = figure.p;
    test.p_adjusted = figure.p_corrected;
    test.repeats_needed = figure.more_needed
        ? std::optional(std::min(figure.n_a, figure.n_b) + figure.more_needed->about)
        : std::nullopt;
    if (!figure.interval)
        return;
    test.relative = figure.relative;
    test.verdict = cell.verdict == Verdict::Unclear ? NodeVerdict::Unclear
        : cell.verdict == Verdict::Neutral          ? NodeVerdict::Neutral
        : *figure.relative < 0.0                    ? NodeVerdict::Lower
                                                    : NodeVerdict::Higher;
}

void testNodes(const AllRuns& runs, const std::vector<NodeId>& ids, Comparison& comparison)
{
    const std::size_t baseline = comparison.options.baseline;
    const auto quantity =
        comparison.tested == NodeQuantity::Energy ? &NodeAmounts::energy_mj : &NodeAmounts::time_ms;
    for (DifferenceNode& node : comparison.tree)
        node.tests.resize(runs.size());
    for (std::size_t g = 0; g < runs.size(); ++g) {
        if (g == baseline) {
            for (DifferenceNode& node : comparison.tree)
                node.tests[g].verdict = NodeVerdict::Baseline;
            continue;
        }
        std::vector<NodeValues> values;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            values.push_back(valuesOf(sideOf(runs[baseline], ids[i], quantity),
                                      sideOf(runs[g], ids[i], quantity), comparison.tree[i]));
        }
        const TreeTests found = testTree(values, comparison.options.smallest_difference,
                                         static_cast<std::int64_t>(runs.size()) - 1);
        comparison.leaves = std::max(comparison.leaves, found.leaves);
        for (std::size_t i = 0; i < ids.size(); ++i) {
            DifferenceNode& node = comparison.tree[i];
            node.tests[g] = found.nodes[i];
            const auto& [energyA, energyB] = std::pair(node.energy_mj[baseline], node.energy_mj[g]);
            const auto& [timeA, timeB] = std::pair(node.time_ms[baseline], node.time_ms[g]);
            if (!energyA.mean || !energyB.mean || !timeA.mean || !timeB.mean)
                continue;
            if (const auto split =
                    splitDifference(*energyA.mean, *timeA.mean, *energyB.mean, *timeB.mean)) {
                node.tests[g].from_power_mj = split->from_power;
                node.tests[g].from_time_mj = split->from_time;
            }
        }
        copyFigure(comparison, g, comparison.tree.front().tests[g]);
    }
}

bool haveEnergies(const std::vector<DifferenceNode>& tree, std::size_t groups)
{
    for (std::size_t g = 0; g < groups; ++g) {
        if (std::none_of(tree.begin(), tree.end(), [&](const DifferenceNode& node) {
                return node.energy_mj[g].mean.has_value();
            }))
            return false;
    }
    return true;
}

} // namespace

void compareNodes(const std::vector<RunGroup>& groups, Comparison& comparison)
{
    const LayerRows rows(groups);
    AllRuns all;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        std::vector<RunNodes>& runs = all.emplace_back();
        for (const ComparedRun& run : groups[g].runs)
            runs.push_back(nodesOf(run, g, rows, comparison.options.normalisation));
    }
    std::map<int, Phase> onlyPhase;
    const std::vector<NodeId> ids = idsOf(all, onlyPhase);
    std::array<int, 3> last{-1, -1, -1}; // the latest node of each depth
    for (const NodeId& id : ids) {
        DifferenceNode node = describeNode(id, rows);
        if (const auto only = onlyPhase.find(id.part); only != onlyPhase.end())
            node.phase = only->second;
        node.parent = node.depth == 0 ? -1 : last[static_cast<std::size_t>(node.depth) - 1];
        last[static_cast<std::size_t>(node.depth)] = static_cast<int>(comparison.tree.size());
        node.energy_mj = cellsOf(all, comparison.options.baseline, id, &NodeAmounts::energy_mj);
        node.time_ms = cellsOf(all, comparison.options.baseline, id, &NodeAmounts::time_ms);
        comparison.tree.push_back(std::move(node));
    }
    if (!haveEnergies(comparison.tree, groups.size()))
        comparison.tested = NodeQuantity::Time;
    testNodes(all, ids, comparison);
    fillLayers(comparison.tree, groups.size(), rows, comparison.layers);
}

} // namespace ep::energy
