// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/flow.h"

#include "ep/core/format.h"
#include "ep/viz/axis.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace ep::viz {

namespace {

using Kind = FlowGraph::Kind;

constexpr int kStages = 1;
constexpr int kLayers = 2;
constexpr int kSplits = 3;
constexpr int kOutput = 4;
constexpr double kFirstSplit = 1000.0; // order: embedding, layers, splits, head, sampling, rest
constexpr double kFirstLater = 2000.0;

// Sums the tree over the phases: by stage, by layer, and by part of a layer.
class Collector {
public:
    struct Sum {
        double value = 0.0;
        Provenance provenance = Provenance::Measured;
        bool partial = false;
        bool any = false;
    };
    using Parts = std::array<Sum, kPartCount>;

    Collector(const CostTree& tree, CostMetric metric)
        : m_tree(tree)
        , m_metric(metric)
    {
        for (const std::size_t phase : tree.nodes[0].children) {
            const CostTree::Node& node = tree.nodes[phase];
            if (!isInference(node.key)) {
                add(stages[static_cast<std::size_t>(Part::Rest)], phase);
                continue;
            }
            for (const std::size_t child : node.children)
                addChild(child);
            if (node.children.empty())
                add(stages[static_cast<std::size_t>(Part::Rest)], phase);
        }
    }

    Parts stages{}; // sections outside the layers; Part::Layers: the rest that was not split
    std::map<std::int32_t, Parts> layers;
    bool clipped = false;
    bool anyValue = false;

private:
    static bool isInference(const CostKey& key)
    {
        return key.phase == Phase::Prefill || key.phase == Phase::Decode;
    }

    void add(Sum& sum, std::size_t node)
    {
        const auto value = m_tree.value(node, m_metric);
        const Tally& cost = m_tree.nodes[node].cost;
        if (!value) {
            sum.partial = sum.partial || cost.duration_ns > 0;
            return;
        }
        anyValue = true;
        sum.any = true;
        clipped = clipped || *value < 0.0;
        sum.value += std::max(0.0, *value);
        sum.partial = sum.partial || cost.partial();
        const Provenance own =
            m_metric == CostMetric::Time ? Provenance::Measured : cost.provenance;
        sum.provenance = std::max(sum.provenance, own);
    }

    void addChild(std::size_t child)
    {
        const CostTree::Node& node = m_tree.nodes[child];
        if (!node.key.layer) {
            const Part part = node.key.section ? partOf(*node.key.section) : Part::Rest;
            add(stages[static_cast<std::size_t>(part)], child);
            return;
        }
        Parts& parts = layers[*node.key.layer];
        for (const std::size_t below : node.children) {
            const CostKey& key = m_tree.nodes[below].key;
            const Part part = key.component ? partOf(*key.component) : Part::Layers;
            add(parts[static_cast<std::size_t>(part)], below);
        }
    }

    const CostTree& m_tree;
    CostMetric m_metric;
};

class FlowBuilder {
public:
    FlowBuilder(const CostTree& tree, CostMetric metric, int mostGroups)
        : m_costs(tree, metric)
        , m_mostGroups(std::max(1, mostGroups))
    {
        m_graph.metric = metric;
    }

    FlowGraph operator()()
    {
        m_graph.missing = !m_costs.anyValue;
        m_graph.clipped = m_costs.clipped;
        if (m_graph.missing)
            return m_graph;
        m_graph.columns = kOutput + 1;
        addNode(nodeOf(Kind::Input, "Input", 0, 0.0));
        const std::size_t input = 0;
        const std::size_t embedding = stage(Part::Embedding, "Embedding", kStages, 0.0);
        const std::size_t layers = addLayers();
        std::vector<std::size_t> ends = m_splits;
        ends.push_back(embedding);
        int later = 0;
        std::vector<std::size_t> begins{embedding, layers};
        for (const auto& [part, words] :
             {std::pair{Part::Head, "Output head"}, std::pair{Part::Sampling, "Sampling"},
              std::pair{Part::KvCache, "KV cache sections"},
              std::pair{Part::Rest, "Outside the model"}}) {
            const std::size_t node = stage(part, words, kSplits, kFirstLater + later++);
            begins.push_back(node);
            ends.push_back(node);
        }
        for (const std::size_t node : begins) {
            if (node == kNone)
                continue;
            link(input, node, m_graph.nodes[node].value);
            include(m_graph.nodes[input], m_graph.nodes[node]);
        }
        const std::size_t output = addNode(nodeOf(Kind::Output, "Output", kOutput, 0.0));
        for (const std::size_t node : ends) {
            if (node == kNone)
                continue;
            link(node, output, m_graph.nodes[node].value);
            include(m_graph.nodes[output], m_graph.nodes[node]);
        }
        for (const std::size_t end : {input, output})
            m_graph.nodes[end].value = end == input ? m_graph.outOf(end) : m_graph.into(end);
        return std::move(m_graph);
    }

private:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    static FlowGraph::Node nodeOf(Kind kind, Message words, int column, double rank)
    {
        FlowGraph::Node node;
        node.kind = kind;
        node.title = std::move(words);
        node.column = column;
        node.rank = rank;
        node.provenance = Provenance::Measured; // until something worse flows through it
        return node;
    }

    std::size_t addNode(FlowGraph::Node node)
    {
        m_graph.nodes.push_back(std::move(node));
        return m_graph.nodes.size() - 1;
    }

    static void include(FlowGraph::Node& whole, const FlowGraph::Node& part)
    {
        whole.provenance = std::max(whole.provenance, part.provenance);
        whole.partial = whole.partial || part.partial;
    }

    void link(std::size_t from, std::size_t to, double value)
    {
        if (value > 0.0)
            m_graph.links.push_back({from, to, value});
    }

    std::size_t stage(Part part, const char* words, int column, double rank)
    {
        const Collector::Sum& sum = m_costs.stages[static_cast<std::size_t>(part)];
        if (sum.value <= 0.0)
            return kNone;
        FlowGraph::Node node = nodeOf(Kind::Stage, words, column, rank);
        node.value = sum.value;
        node.provenance = sum.provenance;
        node.partial = sum.partial;
        node.part = part;
        return addNode(std::move(node));
    }

    // Adds a node for all layers, their groups, and the parts into which these split.
    std::size_t addLayers()
    {
        const Collector::Sum& rest = m_costs.stages[static_cast<std::size_t>(Part::Layers)];
        const std::size_t whole = addNode(nodeOf(Kind::Layers, "Layers", kStages, 1.0));
        std::vector<std::pair<std::int32_t, Collector::Parts>> all(m_costs.layers.begin(),
                                                                   m_costs.layers.end());
        const std::size_t perGroup = (all.size() + static_cast<std::size_t>(m_mostGroups) - 1)
            / static_cast<std::size_t>(m_mostGroups);
        std::array<std::size_t, kPartCount> splits{};
        splits.fill(kNone);
        std::vector<std::pair<std::size_t, Collector::Parts>> groups;
        for (std::size_t first = 0; first < all.size(); first += perGroup) {
            const std::size_t last = std::min(first + perGroup, all.size()) - 1;
            Collector::Parts parts{};
            for (std::size_t i = first; i <= last; ++i)
                for (std::size_t part = 0; part < kPartCount; ++part)
                    merge(parts[part], all[i].second[part]);
            groups.emplace_back(addGroup(all[first].first, all[last].first, parts), parts);
        }
        if (rest.value > 0.0) { // outside of layers, or not known by layer
            Collector::Parts parts{};
            parts[static_cast<std::size_t>(Part::Layers)] = rest;
            const std::size_t node = addGroup(-1, -1, parts);
            m_graph.nodes[node].title = all.empty() ? "Not split" : "Between layers";
            groups.emplace_back(node, parts);
        }
        for (const auto& [group, parts] : groups) {
            m_graph.nodes[whole].value += m_graph.nodes[group].value;
            include(m_graph.nodes[whole], m_graph.nodes[group]);
            link(whole, group, m_graph.nodes[group].value);
            for (std::size_t part = 0; part < kPartCount; ++part) {
                if (parts[part].value <= 0.0)
                    continue;
                if (splits[part] == kNone)
                    splits[part] = addSplit(static_cast<Part>(part));
                FlowGraph::Node& split = m_graph.nodes[splits[part]];
                split.value += parts[part].value;
                split.provenance = std::max(split.provenance, parts[part].provenance);
                split.partial = split.partial || parts[part].partial;
                link(group, splits[part], parts[part].value);
            }
        }
        return m_graph.nodes[whole].value > 0.0 ? whole : kNone;
    }

    static void merge(Collector::Sum& into, const Collector::Sum& from)
    {
        into.value += from.value;
        if (from.any)
            into.provenance = std::max(into.provenance, from.provenance);
        into.partial = into.partial || from.partial;
    }

    std::size_t addGroup(std::int32_t first, std::int32_t last, const Collector::Parts& parts)
    {
        FlowGraph::Node node = nodeOf(Kind::Layers, {}, kLayers, 1.0 + first);
        node.title =
            first == last ? Message("Layer %1", first) : Message("Layers %1–%2", first, last);
        if (first < 0)
            node.rank = kFirstSplit - 1.0;
        node.first_layer = first;
        node.last_layer = last;
        for (const Collector::Sum& sum : parts) {
            node.value += sum.value;
            node.provenance = std::max(node.provenance, sum.provenance);
            node.partial = node.partial || sum.partial;
        }
        return addNode(std::move(node));
    }

    std::size_t addSplit(Part part)
    {
        FlowGraph::Node node =
            nodeOf(Kind::Split, title(part), kSplits, kFirstSplit + static_cast<double>(part));
        node.part = part;
        const std::size_t index = addNode(std::move(node));
        m_splits.push_back(index);
        return index;
    }

    Collector m_costs;
    int m_mostGroups;
    FlowGraph m_graph;
    std::vector<std::size_t> m_splits;
};

} // namespace

double FlowGraph::into(std::size_t node) const
{
    double sum = 0.0;
    for (const Link& link : links)
        sum += link.to == node ? link.value : 0.0;
    return sum;
}

double FlowGraph::outOf(std::size_t node) const
{
    double sum = 0.0;
    for (const Link& link : links)
        sum += link.from == node ? link.value : 0.0;
    return sum;
}

std::vector<double> FlowGraph::through(std::size_t node) const
{
    // There are few columns: follows the links to the right of the node, then to the left.
    std::vector<double> shares(links.size(), 0.0);
    std::vector<double> passed(nodes.size(), 0.0); // share of each node's value
    passed[node] = nodes[node].value;
    for (int column = nodes[node].column; column < columns; ++column) {
        for (std::size_t i = 0; i < links.size(); ++i) {
            const Link& link = links[i];
            const Node& from = nodes[link.from];
            if (from.column != column || passed[link.from] <= 0.0)
                continue;
            shares[i] = std::min(1.0, passed[link.from] / from.value);
            passed[link.to] += shares[i] * link.value;
        }
    }
    std::fill(passed.begin(), passed.end(), 0.0);
    passed[node] = nodes[node].value;
    for (int column = nodes[node].column; column > 0; --column) {
        for (std::size_t i = 0; i < links.size(); ++i) {
            const Link& link = links[i];
            const Node& to = nodes[link.to];
            if (to.column != column || passed[link.to] <= 0.0)
                continue;
            shares[i] = std::min(1.0, passed[link.to] / to.value);
            passed[link.from] += shares[i] * link.value;
        }
    }
    return shares;
}

FlowGraph buildFlow(const CostTree& tree, CostMetric metric, int mostGroups)
{
    return FlowBuilder(tree, metric, mostGroups)();
}

Message summarize(const FlowGraph& graph)
{
    if (graph.empty())
        return {"%1 is missing", title(graph.metric)};
    const double total = graph.nodes.front().value;
    const FlowGraph::Node* most = nullptr;
    for (const FlowGraph::Node& node : graph.nodes)
        if ((node.kind == Kind::Split || node.kind == Kind::Stage)
            && (!most || node.value > most->value))
            most = &node;
    const Message text("%1 of the run: %2", title(graph.metric),
                       formatIn(displayUnit(unit(graph.metric), total), total));
    if (!most || !(total > 0.0))
        return text;
    return {"%1, most of it through %2 (%3)", text, most->title,
            formatPercent(most->value / total)};
}

} // namespace ep::viz
