// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/cost_tree.h"

#include "ep/core/enum_words.h"
#include "ep/core/known_energy.h"
#include "ep/core/run_tree.h"
#include "ep/viz/metric.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>
#include <utility>

namespace ep::viz {

namespace {

// The elements with one phase (or layer, component), in a list sorted by that key.
template <typename Of, typename Matches>
std::span<const Of> matching(std::span<const Of> sorted, Matches matches)
{
    const auto first = std::find_if(sorted.begin(), sorted.end(), matches);
    const auto last = std::find_if_not(first, sorted.end(), matches);
    return {first, last};
}

class TreeBuilder {
public:
    TreeBuilder(const Run& run, const RunBreakdown* parts, Message title)
        : m_run(run)
        , m_title(std::move(title))
        , m_parts(parts && !parts->empty() ? parts : nullptr)
    {
    }

    CostTree operator()()
    {
        m_tree.baseline = baselineOf(m_run);
        const Tally whole = m_run.trace.time.duration_ns() > 0
            ? knownEnergy(m_run)
            : tallyOf({0, m_run.metrics.duration_ns}, m_run.metrics.energy);
        m_tree.nodes.push_back({{}, std::move(m_title), whole, 0, {}});
        for (const PhaseSum& of : sumsOfPhases(m_run.trace)) {
            const std::size_t node = add(0, {.phase = of.phase}, title(of.phase), of.sum);
            addSections(node, of);
            addRest(node);
        }
        addRest(0);
        return std::move(m_tree);
    }

private:
    std::size_t add(std::size_t parent, const CostKey& key, Message title, const Tally& cost)
    {
        m_tree.nodes.push_back({key, std::move(title), cost, parent, {}});
        const std::size_t node = m_tree.nodes.size() - 1;
        m_tree.nodes[parent].children.push_back(node);
        return node;
    }

    // Adds the cost of the node outside its children, unless it is a rounding error.
    void addRest(std::size_t node)
    {
        const CostTree::Node& parent = m_tree.nodes[node];
        if (parent.children.empty())
            return;
        Tally parts;
        for (const std::size_t child : parent.children)
            parts.add(m_tree.nodes[child].cost);
        const Tally rest = remainderOf(parent.cost, parts);
        if (!isRemainder(rest, parent.cost))
            return;
        CostKey key = parent.key;
        key.rest = true;
        add(node, key,
            title(node == 0           ? Remainder::BetweenPhases
                      : key.component ? Remainder::BetweenOperations
                                      : Remainder::BetweenParts),
            rest);
    }

    void addSections(std::size_t phaseNode, const PhaseSum& of)
    {
        for (const SectionSum& own : of.sections) {
            if (own.section != Section::Layers || !addLayers(phaseNode, of.phase))
                add(phaseNode, {.phase = of.phase, .section = own.section}, title(own.section),
                    own.sum);
        }
    }

    // Returns false if the layers of the phase are unknown.
    bool addLayers(std::size_t phaseNode, Phase phase)
    {
        if (!m_parts)
            return false;
        const auto components = matching(std::span(m_parts->components),
                                         [&](const auto& c) { return c.phase == phase; });
        if (components.empty())
            return false;
        for (auto rest = components; !rest.empty();) {
            const std::int32_t layer = rest.front().layer;
            const auto own = matching(rest, [&](const auto& c) { return c.layer == layer; });
            rest = rest.subspan(own.size());
            addLayer(phaseNode, phase, layer, own);
        }
        return true;
    }

    void addLayer(std::size_t phaseNode, Phase phase, std::int32_t layer,
                  std::span<const RunBreakdown::OfComponent> components)
    {
        const auto own =
            std::find_if(m_parts->layers.begin(), m_parts->layers.end(),
                         [&](const auto& of) { return of.phase == phase && of.layer == layer; });
        Tally cost;
        if (own != m_parts->layers.end()) {
            cost = own->sum;
        } else {
            for (const auto& component : components)
                cost.add(component.sum);
        }
        const std::size_t node =
            add(phaseNode, {.phase = phase, .layer = layer}, Message("Layer %1", layer), cost);
        for (const auto& component : components) {
            const std::size_t child =
                add(node, {.phase = phase, .layer = layer, .component = component.component},
                    title(component.component), component.sum);
            addOperations(child);
        }
        addRest(node);
    }

    void addOperations(std::size_t node)
    {
        const CostKey key = m_tree.nodes[node].key;
        const auto sought = std::tuple(*key.phase, *key.layer, *key.component);
        const auto keyOf = [](const RunBreakdown::OfOperation& of) {
            return std::tuple(of.phase, of.layer, of.component);
        };
        auto at = std::partition_point(m_parts->operations.begin(), m_parts->operations.end(),
                                       [&](const auto& of) { return keyOf(of) < sought; });
        for (; at != m_parts->operations.end() && keyOf(*at) == sought; ++at) {
            CostKey own = key;
            own.operation = at->operation;
            add(node, own, title(at->operation), at->sum);
        }
        addRest(node);
    }

    const Run& m_run;
    Message m_title;
    const RunBreakdown* m_parts;
    CostTree m_tree;
};

} // namespace

std::string_view title(CostMetric metric)
{
    constexpr std::array<std::string_view, 3> kTitles{"Time", "Energy", "Net energy"};
    return wordOf(kTitles, metric);
}

std::string_view unit(CostMetric metric)
{
    return metric == CostMetric::Time ? "ms" : "mJ";
}

std::optional<double> valueOf(const Tally& cost, CostMetric metric,
                              std::optional<Milliwatts> baseline)
{
    if (metric == CostMetric::Time)
        return toMilliseconds(cost.duration_ns);
    if (!cost.energy_mj)
        return std::nullopt;
    if (metric == CostMetric::Energy)
        return cost.energy_mj->value;
    const auto net =
        netEnergy(cost.energy_mj, cost.energy_duration_ns, BaselineRecord{.total_mw = baseline});
    return net ? std::optional(net->value) : std::nullopt;
}

std::optional<Milliwatts> baselineOf(const Run& run)
{
    return run.info.power.baseline ? run.info.power.baseline->total_mw : std::nullopt;
}

bool available(const Run& run, CostMetric metric)
{
    switch (metric) {
    case CostMetric::Time:
        return true;
    case CostMetric::Energy:
        return knownEnergy(run).energy_mj.has_value();
    case CostMetric::NetEnergy:
        break;
    }
    return knownEnergy(run).energy_mj && baselineOf(run);
}

std::optional<std::size_t> CostTree::find(const CostKey& key) const
{
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].key == key)
            return i;
    }
    return std::nullopt;
}

std::vector<std::size_t> CostTree::path(std::size_t node) const
{
    std::vector<std::size_t> nodesUp{node};
    while (nodesUp.back() != 0)
        nodesUp.push_back(nodes[nodesUp.back()].parent);
    std::reverse(nodesUp.begin(), nodesUp.end());
    return nodesUp;
}

CostTree buildCostTree(const Run& run, const RunBreakdown* parts, Message title)
{
    return TreeBuilder(run, parts, std::move(title))();
}

} // namespace ep::viz
