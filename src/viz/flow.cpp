// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/flow.h"

#include "ep/core/format.h"
#include "ep/viz/axis.h"

#include <algorithm>
#include <array>
#include <iterator>
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
    using Parts = std::array<Sum, kRunPartCount>;

    Collector(const CostTree& tree, CostMetric metric)
        : m_tree(tree)
        , m_metric(metric)
    {
        for (const std::size_t phase : tree.nodes[0].children) {
            const CostTree::Node& node = tree.nodes[phase];
            for (const std::size_t child : node.children)
                addChild(child);
            if (node.children.empty())
                addChild(phase);
        }
    }

    Parts stages{}; // sections outside the layers; RunPart::Layers: not split
    std::map<std::int32_t, Parts> layers;
    bool clipped = false;
    bool anyValue = false;

private:
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
            const RunPart part = node.key.section ? partOf(*node.key.section)
                : node.key.phase                  ? remainderOf(*node.key.phase)
                                                  : RunPart::Outside;
            add(stages[static_cast<std::size_t>(part)], child);
            return;
        }
        Parts& parts = layers[*node.key.layer];
        for (const std::size_t below : node.children) {
            const CostKey& key = m_tree.nodes[below].key;
            const RunPart part = key.component ? partOf(*key.component) : RunPart::Rest;
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
        m_splits.fill(kNone);
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
        std::vector<std::size_t> begins{stage(RunPart::Embedding, kStages, 0.0), addLayers()};
        std::vector<std::size_t> ends(m_splits.begin(), m_splits.end());
        ends.push_back(begins.front());
        int later = 0;
        for (const RunPart part :
             {RunPart::Head, RunPart::Sampling, RunPart::KvCache, RunPart::Tokenizer,
              RunPart::Other, RunPart::Rest, RunPart::Outside}) {
            const Collector::Sum& sum = m_costs.stages[static_cast<std::size_t>(part)];
            const std::size_t split = m_splits[static_cast<std::size_t>(part)];
            if (split == kNone) {
                begins.push_back(stage(part, kSplits, kFirstLater + later++));
                ends.push_back(begins.back());
            } else if (sum.value > 0.0) { // a part both of layers and outside them
                enlarge(m_graph.nodes[split], sum);
                link(input, split, sum.value);
            }
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

    std::size_t stage(RunPart part, int column, double rank)
    {
        const Collector::Sum& sum = m_costs.stages[static_cast<std::size_t>(part)];
        if (sum.value <= 0.0)
            return kNone;
        FlowGraph::Node node = nodeOf(Kind::Stage, title(part), column, rank);
        node.value = sum.value;
        node.provenance = sum.provenance;
        node.partial = sum.partial;
        node.part = part;
        return addNode(std::move(node));
    }

    // Adds a node for all layers, their groups, and the parts into which these split.
    std::size_t addLayers()
    {
        const Collector::Sum& unsplit = m_costs.stages[static_cast<std::size_t>(RunPart::Layers)];
        const std::size_t whole = addNode(nodeOf(Kind::Layers, "Layers", kStages, 1.0));
        std::vector<std::pair<std::int32_t, Collector::Parts>> all(m_costs.layers.begin(),
                                                                   m_costs.layers.end());
        const std::size_t perGroup = (all.size() + static_cast<std::size_t>(m_mostGroups) - 1)
            / static_cast<std::size_t>(m_mostGroups);
        std::vector<std::pair<std::size_t, Collector::Parts>> groups;
        for (std::size_t first = 0; first < all.size(); first += perGroup) {
            const std::size_t last = std::min(first + perGroup, all.size()) - 1;
            Collector::Parts parts{};
            for (std::size_t i = first; i <= last; ++i)
                for (std::size_t part = 0; part < kRunPartCount; ++part)
                    merge(parts[part], all[i].second[part]);
            groups.emplace_back(addGroup(all[first].first, all[last].first, parts), parts);
        }
        if (unsplit.value > 0.0) {
            Collector::Parts parts{};
            parts[static_cast<std::size_t>(RunPart::Layers)] = unsplit;
            const std::size_t node = addGroup(-1, -1, parts);
            m_graph.nodes[node].title = "Not split";
            groups.emplace_back(node, parts);
        }
        for (const auto& [group, parts] : groups) {
            m_graph.nodes[whole].value += m_graph.nodes[group].value;
            include(m_graph.nodes[whole], m_graph.nodes[group]);
            link(whole, group, m_graph.nodes[group].value);
            for (std::size_t part = 0; part < kRunPartCount; ++part) {
                if (parts[part].value <= 0.0)
                    continue;
                if (m_splits[part] == kNone)
                    m_splits[part] = addSplit(static_cast<RunPart>(part));
                enlarge(m_graph.nodes[m_splits[part]], parts[part]);
                link(group, m_splits[part], parts[part].value);
            }
        }
        return m_graph.nodes[whole].value > 0.0 ? whole : kNone;
    }

    static void enlarge(FlowGraph::Node& node, const Collector::Sum& by)
    {
        node.value += by.value;
        node.provenance = std::max(node.provenance, by.provenance);
        node.partial = node.partial || by.partial;
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
        for (const Collector::Sum& sum : parts)
            enlarge(node, sum);
        return addNode(std::move(node));
    }

    std::size_t addSplit(RunPart part)
    {
        FlowGraph::Node node =
            nodeOf(Kind::Split, title(part), kSplits, kFirstSplit + static_cast<double>(part));
        node.part = part;
        return addNode(std::move(node));
    }

    Collector m_costs;
    int m_mostGroups;
    FlowGraph m_graph;
    std::array<std::size_t, kRunPartCount> m_splits{}; // nodes of the parts of layers
};

constexpr double kMinHeight = 1.0;

// A node, or the position of a link in a column that it crosses.
struct Slot {
    double rank = 0.0;
    double value = 0.0;
    double top = 0.0;
    double left_used = 0.0; // height used by incoming bands
    double right_used = 0.0;
};

class SankeyLayout {
public:
    SankeyLayout(const FlowGraph& graph, const Rect& plot, const SankeyStyle& style)
        : m_graph(graph)
        , m_style(style)
        , m_slots(graph.nodes.size())
        , m_columns(static_cast<std::size_t>(graph.columns))
    {
        m_result.plot = plot;
    }

    SankeyGeometry operator()()
    {
        fillColumns();
        placeSlots();
        placeNodes();
        separateLabels();
        placeLinks();
        return std::move(m_result);
    }

private:
    void fillColumns()
    {
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
            const FlowGraph::Node& node = m_graph.nodes[i];
            m_slots[i].rank = node.rank;
            m_slots[i].value = node.value;
            if (node.value > 0.0)
                m_columns[static_cast<std::size_t>(node.column)].push_back(i);
        }
        m_ways.resize(m_graph.links.size());
        for (std::size_t i = 0; i < m_graph.links.size(); ++i) {
            const FlowGraph::Link& link = m_graph.links[i];
            const FlowGraph::Node& from = m_graph.nodes[link.from];
            const FlowGraph::Node& to = m_graph.nodes[link.to];
            m_ways[i].push_back(link.from);
            // Takes the rank of the end that is a part of the model, not input or output.
            const double rank = from.kind == FlowGraph::Kind::Input ? to.rank : from.rank;
            for (int column = from.column + 1; column < to.column; ++column) {
                m_slots.push_back({rank, link.value});
                m_ways[i].push_back(m_slots.size() - 1);
                m_columns[static_cast<std::size_t>(column)].push_back(m_slots.size() - 1);
            }
            m_ways[i].push_back(link.to);
        }
        for (auto& column : m_columns)
            std::stable_sort(column.begin(), column.end(), [this](std::size_t a, std::size_t b) {
                return m_slots[a].rank < m_slots[b].rank;
            });
    }

    double heightOf(std::size_t slot) const
    {
        return std::max(kMinHeight, m_slots[slot].value * m_result.scale);
    }

    void placeSlots()
    {
        const Rect& plot = m_result.plot;
        const double total = m_graph.nodes.front().value;
        std::size_t most = 1;
        for (const auto& column : m_columns)
            most = std::max(most, column.size());
        const auto gaps = static_cast<double>(most - 1);
        m_gap = std::min(m_style.gap, gaps > 0.0 ? plot.height * 0.3 / gaps : m_style.gap);
        m_result.scale = std::max(0.0, plot.height - m_gap * gaps) / total;
        for (const auto& column : m_columns) {
            double height = m_gap * static_cast<double>(column.empty() ? 0 : column.size() - 1);
            for (const std::size_t slot : column)
                height += heightOf(slot);
            double top = plot.y + std::max(0.0, (plot.height - height) / 2.0);
            for (const std::size_t slot : column) {
                m_slots[slot].top = top;
                top += heightOf(slot) + m_gap;
            }
        }
    }

    double left(int column) const
    {
        const Rect& plot = m_result.plot;
        const double span = plot.width - m_style.node_width;
        return plot.x + span * column / std::max(1, m_graph.columns - 1);
    }

    void placeNodes()
    {
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
            const FlowGraph::Node& node = m_graph.nodes[i];
            Rect rect;
            Rect label;
            if (node.value > 0.0) {
                rect = {left(node.column), m_slots[i].top, m_style.node_width, heightOf(i)};
                label = labelOf(node, rect);
            }
            m_result.nodes.push_back(rect);
            m_result.labels.push_back(label);
        }
    }

    // Next to its node, inside the plot, at most as wide as the distance to the next column.
    Rect labelOf(const FlowGraph::Node& node, const Rect& rect) const
    {
        const double height = m_style.line_height;
        if (rect.height + m_gap < height)
            return {};
        const double width =
            std::max(0.0, left(1) - left(0) - m_style.node_width - m_style.char_width);
        const bool last = node.column == m_graph.columns - 1;
        const double x = last ? rect.x - width - 4.0 : rect.right() + 4.0;
        return {x, rect.centre().y - height / 2.0, width, height};
    }

    // The labels of the last two columns stand in the same gap. Each moves along its node until
    // nothing is beside it; labels that still collide share the width of the gap.
    void separateLabels()
    {
        const auto labelled = [this](int column) {
            std::vector<std::size_t> nodes;
            for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
                if (m_graph.nodes[i].column == column && !m_result.labels[i].empty())
                    nodes.push_back(i);
            return nodes;
        };
        const std::vector<std::size_t> before = labelled(m_graph.columns - 2);
        for (const std::size_t last : labelled(m_graph.columns - 1)) {
            const Rect& node = m_result.nodes[last];
            Rect& label = m_result.labels[last];
            const auto meets = [&](std::size_t other, double y) {
                const Rect& its = m_result.labels[other];
                return its.y < y + label.height && y < its.bottom();
            };
            const double middle = label.y;
            const auto lines = static_cast<int>(node.height / label.height);
            for (int i = 0; i <= lines; ++i) {
                const double y = middle + (i % 2 == 0 ? -1 : 1) * ((i + 1) / 2) * label.height;
                const bool inside = i == 0 || (y >= node.y && y + label.height <= node.bottom());
                if (inside
                    && std::ranges::none_of(before, [&](auto other) { return meets(other, y); })) {
                    label.y = y;
                    break;
                }
            }
            const double right = label.right();
            const double half = (label.width - m_style.char_width) / 2.0;
            for (const std::size_t other : before) {
                if (!meets(other, label.y))
                    continue;
                m_result.labels[other].width = std::min(m_result.labels[other].width, half);
                label.width = half;
            }
            label.x = right - label.width;
        }
    }

    void placeLinks()
    {
        // Bands leave and enter a node in the order of their other ends.
        std::vector<std::size_t> order(m_graph.links.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i] = i;
        m_result.links.resize(m_graph.links.size());
        for (int column = 0; column + 1 < m_graph.columns; ++column) {
            const auto reaches = [&](std::size_t link) {
                const int first = m_graph.nodes[m_graph.links[link].from].column;
                const int last = m_graph.nodes[m_graph.links[link].to].column;
                return first <= column && column < last;
            };
            const auto slotAt = [&](std::size_t link, int at) {
                const int first = m_graph.nodes[m_graph.links[link].from].column;
                return m_ways[link][static_cast<std::size_t>(at - first)];
            };
            std::vector<std::size_t> here;
            std::copy_if(order.begin(), order.end(), std::back_inserter(here), reaches);
            const auto topAt = [&](std::size_t link, int at) {
                return m_slots[slotAt(link, at)].top;
            };
            std::vector<std::pair<double, double>> ends(m_graph.links.size());
            std::stable_sort(here.begin(), here.end(), [&](std::size_t a, std::size_t b) {
                return topAt(a, column + 1) < topAt(b, column + 1);
            });
            for (const std::size_t link : here) {
                Slot& slot = m_slots[slotAt(link, column)];
                ends[link].first = slot.top + slot.right_used;
                slot.right_used += m_graph.links[link].value * m_result.scale;
            }
            std::stable_sort(here.begin(), here.end(), [&](std::size_t a, std::size_t b) {
                return topAt(a, column) < topAt(b, column);
            });
            for (const std::size_t link : here) {
                Slot& slot = m_slots[slotAt(link, column + 1)];
                ends[link].second = slot.top + slot.left_used;
                slot.left_used += m_graph.links[link].value * m_result.scale;
            }
            for (const std::size_t link : here) {
                SankeyGeometry::Band band;
                // A link crosses a column straight, at the position of a node.
                const bool starts = slotAt(link, column) == m_graph.links[link].from;
                band.x0 = left(column) + (starts ? m_style.node_width : 0.0);
                band.x1 = left(column + 1);
                band.y0 = ends[link].first;
                band.y1 = ends[link].second;
                band.width = std::max(kMinHeight, m_graph.links[link].value * m_result.scale);
                m_result.links[link].bands.push_back(band);
            }
        }
    }

    const FlowGraph& m_graph;
    const SankeyStyle& m_style;
    SankeyGeometry m_result;
    std::vector<Slot> m_slots; // nodes first, then the links that cross columns
    std::vector<std::vector<std::size_t>> m_columns; // slots from top to bottom
    std::vector<std::vector<std::size_t>> m_ways; // one slot per column, for each link
    double m_gap = 0.0;
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
    const auto follow = [&](std::size_t Link::*from, std::size_t Link::*to, int step) {
        std::vector<double> passed(nodes.size(), 0.0); // share of each node's value
        passed[node] = nodes[node].value;
        for (int column = nodes[node].column; column >= 0 && column < columns; column += step) {
            for (std::size_t i = 0; i < links.size(); ++i) {
                const Link& link = links[i];
                const Node& source = nodes[link.*from];
                if (source.column != column || passed[link.*from] <= 0.0)
                    continue;
                shares[i] = std::min(1.0, passed[link.*from] / source.value);
                passed[link.*to] += shares[i] * link.value;
            }
        }
    };
    follow(&Link::from, &Link::to, 1);
    follow(&Link::to, &Link::from, -1);
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

SankeyGeometry layoutSankey(const FlowGraph& graph, const Rect& plot, const SankeyStyle& style)
{
    if (graph.empty() || plot.empty())
        return {};
    return SankeyLayout(graph, plot, style)();
}

// The upper edge of a band: 3 t^2 - 2 t^3 is horizontal at both ends, so that the band keeps its
// width.
double bandTop(const SankeyGeometry::Band& band, double x)
{
    const double t = std::clamp((x - band.x0) / std::max(1e-9, band.x1 - band.x0), 0.0, 1.0);
    return band.y0 + (band.y1 - band.y0) * t * t * (3.0 - 2.0 * t);
}

std::optional<std::size_t> SankeyGeometry::hitNode(Point point) const
{
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        Rect target = nodes[i];
        if (target.empty())
            continue;
        if (target.height < 6.0) { // makes thin bands clickable
            target.y -= 3.0;
            target.height += 6.0;
        }
        if (target.contains(point) || labels[i].contains(point))
            return i;
    }
    return std::nullopt;
}

std::optional<std::size_t> SankeyGeometry::hitLink(Point point) const
{
    for (std::size_t i = links.size(); i-- > 0;) {
        for (const Band& band : links[i].bands) {
            if (point.x < band.x0 || point.x >= band.x1)
                continue;
            const double top = bandTop(band, point.x);
            if (top <= point.y && point.y < top + band.width)
                return i;
        }
    }
    return std::nullopt;
}

} // namespace ep::viz
