// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/treemap.h"

#include "ep/core/format.h"
#include "ep/viz/axis.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

namespace ep::viz {

namespace {

constexpr double kMinNested = 12.0; // minimum side in pixels for nested cells

struct Item {
    std::size_t node = 0;
    double value = 0.0;
    std::vector<std::size_t> others;
};

// The largest aspect ratio among items that share a strip of this length.
double worstRatio(std::span<const Item> items, double area, double length)
{
    double sum = 0.0;
    double least = std::numeric_limits<double>::max();
    double most = 0.0;
    for (const Item& item : items) {
        const double own = item.value * area;
        sum += own;
        least = std::min(least, own);
        most = std::max(most, own);
    }
    const double square = length * length;
    return std::max(square * most / (sum * sum), sum * sum / (square * least));
}

class Layout {
public:
    Layout(const CostTree& tree, CostMetric metric, const TreemapStyle& style,
           TreemapGeometry& result)
        : m_tree(tree)
        , m_metric(metric)
        , m_style(style)
        , m_result(result)
    {
    }

    void fill(std::size_t node, const Rect& rect, int level, double ofRoot)
    {
        std::vector<Item> items = itemsOf(node, rect);
        double sum = 0.0;
        for (const Item& item : items)
            sum += item.value;
        if (sum <= 0.0 || rect.empty())
            return;
        squarify(items, rect, rect.width * rect.height / sum, level, ofRoot);
    }

private:
    std::vector<Item> itemsOf(std::size_t node, const Rect& rect)
    {
        std::vector<Item> items;
        double sum = 0.0;
        for (const std::size_t child : m_tree.nodes[node].children) {
            const auto value = m_tree.value(child, m_metric);
            if (!value)
                ++m_result.missing;
            if (value && *value > 0.0) {
                items.push_back({child, *value, {}});
                sum += *value;
            }
        }
        std::stable_sort(items.begin(), items.end(), [&](const Item& a, const Item& b) {
            return m_tree.nodes[a.node].cost.duration_ns > m_tree.nodes[b.node].cost.duration_ns;
        });
        return withOther(std::move(items), node,
                         m_style.least_area * sum / std::max(1.0, rect.width * rect.height));
    }

    // Merges the items below the minimum into one, unless there is only one.
    static std::vector<Item> withOther(std::vector<Item> items, std::size_t parent, double least)
    {
        Item other{parent, 0.0, {}};
        for (const Item& item : items) {
            if (item.value < least) {
                other.value += item.value;
                other.others.push_back(item.node);
            }
        }
        if (other.others.size() < 2)
            return items;
        std::erase_if(items, [&](const Item& item) { return item.value < least; });
        items.push_back(std::move(other));
        return items;
    }

    void squarify(std::span<const Item> items, Rect rect, double area, int level, double ofRoot)
    {
        while (!items.empty()) {
            const double length = std::min(rect.width, rect.height);
            std::size_t count = 1;
            double ratio = worstRatio(items.first(1), area, length);
            while (count < items.size()) {
                const double next = worstRatio(items.first(count + 1), area, length);
                if (next > ratio)
                    break;
                ratio = next;
                ++count;
            }
            placeStrip(items.first(count), rect, area, level, ofRoot);
            items = items.subspan(count);
        }
    }

    // Places a strip along the shorter side of the rectangle and removes it from the rectangle.
    void placeStrip(std::span<const Item> items, Rect& rect, double area, int level, double ofRoot)
    {
        double sum = 0.0;
        for (const Item& item : items)
            sum += item.value;
        const bool upright = rect.width >= rect.height; // stacks items at the left
        const double length = upright ? rect.height : rect.width;
        const double thickness =
            length > 0.0 ? std::min(sum * area / length, upright ? rect.width : rect.height) : 0.0;
        double at = 0.0;
        for (const Item& item : items) {
            const double own = length * item.value / sum;
            place(item,
                  upright ? Rect{rect.x, rect.y + at, thickness, own}
                          : Rect{rect.x + at, rect.y, own, thickness},
                  level, ofRoot);
            at += own;
        }
        if (upright) {
            rect.x += thickness;
            rect.width = std::max(0.0, rect.width - thickness);
        } else {
            rect.y += thickness;
            rect.height = std::max(0.0, rect.height - thickness);
        }
    }

    void place(const Item& item, const Rect& rect, int level, double ofRoot)
    {
        TreemapCell cell;
        cell.node = item.node;
        cell.rect = rect;
        cell.level = level;
        cell.value = item.value;
        cell.share = ofRoot > 0.0 ? item.value / ofRoot : 0.0;
        cell.others = item.others;
        cell.label = rect.width >= kLabelCharacters * m_style.char_width
            && rect.height >= m_style.line_height;
        const double pad = m_style.padding;
        const double head = m_style.line_height + pad;
        const Rect inside{rect.x + pad, rect.y + head, rect.width - 2.0 * pad,
                          rect.height - head - pad};
        cell.container = !cell.other() && level + 1 < m_style.levels && cell.label
            && inside.width >= kMinNested && inside.height >= kMinNested
            && hasShownChild(item.node);
        m_result.cells.push_back(cell);
        if (cell.container)
            fill(item.node, inside, level + 1, ofRoot);
    }

    bool hasShownChild(std::size_t node) const
    {
        const auto& children = m_tree.nodes[node].children;
        return std::any_of(children.begin(), children.end(), [this](std::size_t child) {
            return m_tree.value(child, m_metric).value_or(0.0) > 0.0;
        });
    }

    const CostTree& m_tree;
    CostMetric m_metric;
    const TreemapStyle& m_style;
    TreemapGeometry& m_result;
};

} // namespace

std::optional<std::size_t> TreemapGeometry::hit(Point point) const
{
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i].rect.contains(point) && (!found || cells[i].level >= cells[*found].level))
            found = i;
    }
    return found;
}

TreemapGeometry layoutTreemap(const CostTree& tree, std::size_t root, CostMetric metric,
                              const Rect& plot, const TreemapStyle& style)
{
    TreemapGeometry result;
    result.plot = plot;
    const auto& children = tree.nodes[root].children;
    result.all_missing = !tree.value(root, metric)
        && std::none_of(children.begin(), children.end(),
                        [&](std::size_t child) { return tree.value(child, metric).has_value(); });
    for (const std::size_t child : children)
        result.total += std::max(0.0, tree.value(child, metric).value_or(0.0));
    if (children.empty()) { // a leaf has one cell
        result.total = std::max(0.0, tree.value(root, metric).value_or(0.0));
        if (result.total > 0.0 && !plot.empty())
            result.cells.push_back({root, plot, 0, result.total, 1.0, false, true, {}});
        return result;
    }
    Layout(tree, metric, style, result).fill(root, plot, 0, result.total);
    return result;
}

Message summarize(const CostTree& tree, std::size_t root, CostMetric metric)
{
    const CostTree::Node& node = tree.nodes[root];
    const auto whole = tree.value(root, metric);
    const CostTree::Node* leader = nullptr;
    double most = 0.0;
    double sum = 0.0;
    for (const std::size_t child : node.children) {
        const double value = std::max(0.0, tree.value(child, metric).value_or(0.0));
        sum += value;
        if (value > most) {
            most = value;
            leader = &tree.nodes[child];
        }
    }
    if (!whole && !leader)
        return {"%1: %2 is missing", node.title, title(metric)};
    Message text{"%1: %2", node.title,
                 whole ? formatIn(displayUnit(unit(metric), *whole), *whole) : kMissingText};
    if (leader)
        text = Message("%1, most of it in %2 (%3)", text, leader->title, formatPercent(most / sum));
    return text;
}

} // namespace ep::viz
