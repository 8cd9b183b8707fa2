// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/flow.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace ep::viz {

namespace {

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

SankeyGeometry layoutSankey(const FlowGraph& graph, const Rect& plot, const SankeyStyle& style)
{
    if (graph.empty() || plot.empty())
        return {};
    return SankeyLayout(graph, plot, style)();
}

// Horizontal at both ends, so that a band keeps its width: 3 t^2 - 2 t^3.
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
