// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/charts/sankey_view.h"

#include "chart_paint.h"
#include "cost_text.h"

#include "ep/core/format.h"
#include "ep/ui/charts/chart_export.h"
#include "ep/ui/terms.h"
#include "ep/viz/metric.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>

namespace ep::ui {

namespace {

constexpr double kFlowMargin = 8.0;
constexpr int kGroups = 12;

QPainterPath pathOf(const viz::SankeyGeometry::Band& band, double share)
{
    const double width = std::max(0.75, band.width * share);
    const double bend = (band.x1 - band.x0) / 3.0;
    const auto side = [&](QPainterPath& path, double offset, bool back) {
        const QPointF begin(band.x0, band.y0 + offset);
        const QPointF end(band.x1, band.y1 + offset);
        if (back)
            path.cubicTo(end - QPointF(bend, 0.0), begin + QPointF(bend, 0.0), begin);
        else
            path.cubicTo(begin + QPointF(bend, 0.0), end - QPointF(bend, 0.0), end);
    };
    QPainterPath path(QPointF(band.x0, band.y0));
    side(path, 0.0, false);
    path.lineTo(band.x1, band.y1 + width);
    side(path, width, true);
    path.closeSubpath();
    return path;
}

} // namespace

void SankeyView::setTree(std::shared_ptr<const viz::CostTree> tree)
{
    m_tree = std::move(tree);
    rebuild();
}

void SankeyView::setMetric(viz::CostMetric metric)
{
    m_metric = metric;
    rebuild();
}

void SankeyView::rebuild()
{
    m_graph = m_tree ? viz::buildFlow(*m_tree, m_metric, kGroups) : viz::FlowGraph{};
    relayout();
}

void SankeyView::relayout()
{
    const QFontMetricsF metrics(font());
    viz::SankeyStyle style;
    style.char_width = metrics.averageCharWidth();
    style.line_height = metrics.height();
    const double foot = metrics.height() + 8.0;
    m_geometry =
        viz::layoutSankey(m_graph,
                          {kFlowMargin, kFlowMargin, std::max(0.0, width() - 2.0 * kFlowMargin),
                           std::max(0.0, height() - 2.0 * kFlowMargin - foot)},
                          style);
    itemsChanged();
}

std::vector<double> SankeyView::highlighted() const
{
    auto node = at().hovered;
    if (!node && currentItem() >= 0)
        node = static_cast<std::size_t>(currentItem());
    return node && *node < m_graph.nodes.size() ? m_graph.through(*node) : std::vector<double>{};
}

QColor SankeyView::colourOf(std::size_t node) const
{
    const viz::FlowGraph::Node& of = m_graph.nodes[node];
    return of.part ? theme().part(*of.part) : theme().outline;
}

QString SankeyView::describeItem(std::size_t item) const
{
    const viz::FlowGraph::Node& node = m_graph.nodes[item];
    const double total = m_graph.nodes.front().value;
    QString text = tr("%1: %2%3 %4, %5 of the run")
                       .arg(term(node.title),
                            node.partial && m_metric != viz::CostMetric::Time ? QStringLiteral("≥ ")
                                                                              : QString(),
                            costText(m_metric, node.value),
                            provenanceText(m_metric, node.provenance, node.partial, powerSource()),
                            toQString(formatPercent(total > 0.0 ? node.value / total : 0.0)));
    for (const viz::FlowGraph::Link& link : m_graph.links) {
        if (link.from == item && m_graph.nodes[link.to].kind != viz::FlowGraph::Kind::Output)
            text += tr("\n→ %1: %2")
                        .arg(term(m_graph.nodes[link.to].title), costText(m_metric, link.value));
    }
    return text;
}

QString SankeyView::describeLink(std::size_t index) const
{
    const viz::FlowGraph::Link& link = m_graph.links[index];
    const double from = m_graph.nodes[link.from].value;
    return tr("%1 → %2: %3, %4 of %1")
        .arg(term(m_graph.nodes[link.from].title), term(m_graph.nodes[link.to].title),
             costText(m_metric, link.value),
             toQString(formatPercent(from > 0.0 ? link.value / from : 0.0)));
}

QString SankeyView::toolTipAt(const QPointF& position) const
{
    const QString node = ItemView::toolTipAt(position);
    if (!node.isEmpty())
        return node;
    const auto link = m_geometry.hitLink(toPoint(position));
    return link ? describeLink(*link) : QString();
}

QRectF SankeyView::itemRect(std::size_t item) const
{
    return toRectF(m_geometry.nodes[item]).adjusted(-2.0, -2.0, 2.0, 2.0);
}

// Layers match by number, parts of a layer by component.
QString SankeyView::searchableText(std::size_t item) const
{
    const viz::FlowGraph::Node& node = m_graph.nodes[item];
    QStringList texts;
    for (std::int32_t layer = std::max(0, node.first_layer); layer <= node.last_layer; ++layer)
        texts << QStringLiteral("layer %1").arg(layer);
    for (std::size_t i = 0; node.part && i < kComponentCount; ++i) {
        const auto component = static_cast<Component>(i);
        if (partOf(component) == *node.part)
            texts << toQString(name(component)) << term(viz::title(component));
    }
    return texts.isEmpty() ? QString() : term(node.title) + u'\n' + texts.join(u'\n');
}

QString SankeyView::summary() const
{
    return m_tree ? term(viz::summarize(m_graph)) : emptyText();
}

void SankeyView::choose(std::size_t item)
{
    contentChanged(); // because the path differs
    const viz::FlowGraph::Node& node = m_graph.nodes[item];
    if (controller() && node.first_layer >= 0 && node.first_layer == node.last_layer)
        controller()->selectPart(node.first_layer);
}

void SankeyView::paintContent(QPainter& painter)
{
    if (!m_tree) {
        paintEmptyText(painter, emptyText());
        return;
    }
    if (m_geometry.empty()) {
        paintEmptyText(painter,
                       tr("%1: — (missing). Select time, or make a run with a power source.")
                           .arg(term(viz::title(m_metric))));
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    const std::vector<double> shares =
        isBeingExported(*this) ? std::vector<double>{} : highlighted();
    for (std::size_t i = 0; i < m_graph.links.size(); ++i)
        paintLink(painter, i, 1.0, !shares.empty());
    for (std::size_t i = 0; i < shares.size(); ++i)
        if (shares[i] > 0.0)
            paintLink(painter, i, shares[i], false);
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
        paintNode(painter, i);
    dimUnmatched(painter);

    const QFontMetricsF metrics(font());
    const viz::FlowGraph::Node& whole = m_graph.nodes.front();
    const QString amount = costText(m_metric, whole.value);
    const QString origin = provenanceText(m_metric, whole.provenance, whole.partial, powerSource());
    QString caption =
        tr("%1, %2: %3 %4")
            .arg(term(viz::title(m_metric)), term(m_tree->nodes.front().title), amount, origin);
    if (m_graph.clipped)
        caption += tr(". Negative parts are not drawn.");
    // The legend explains parts that are too thin for a label.
    std::array<bool, kRunPartCount> parts{};
    for (const viz::FlowGraph::Node& node : m_graph.nodes)
        if (node.part)
            parts[static_cast<std::size_t>(*node.part)] = true;
    const QRectF foot(kFlowMargin, height() - metrics.height() - 6.0, width() - 2.0 * kFlowMargin,
                      metrics.height());
    const Provenance provenance = m_metric == viz::CostMetric::Time || m_graph.nodes.empty()
        ? Provenance::Measured
        : m_graph.nodes.front().provenance;
    const double used = paintPartLegend(painter, foot, theme(), parts, provenance);
    painter.setPen(theme().mutedText);
    // The selector above the chart names the metric.
    if (metrics.horizontalAdvance(caption) > foot.width() - used && !m_graph.clipped)
        caption = (amount + u' ' + origin).trimmed();
    if (foot.width() - used > 60.0)
        paintElided(painter, foot.adjusted(used, 0.0, 0.0, 0.0), Qt::AlignRight | Qt::AlignVCenter,
                    caption);
}

void SankeyView::paintLink(QPainter& painter, std::size_t index, double share, bool dimmed) const
{
    const viz::FlowGraph::Link& link = m_graph.links[index];
    // Has the colour of the part at either end.
    const bool later = m_graph.nodes[link.to].part.has_value();
    QColor colour = colourOf(later ? link.to : link.from);
    colour.setAlphaF(dimmed ? 0.15F : 0.45F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    for (const auto& band : m_geometry.links[index].bands)
        painter.drawPath(pathOf(band, share));
}

void SankeyView::paintNode(QPainter& painter, std::size_t index) const
{
    const viz::FlowGraph::Node& node = m_graph.nodes[index];
    const QRectF rect = toRectF(m_geometry.nodes[index]);
    if (rect.isEmpty())
        return;
    if (node.part)
        paintPart(painter, rect, theme(), *node.part);
    else
        painter.fillRect(rect, theme().outline);
    const viz::Rect& place = m_geometry.labels[index];
    if (place.empty())
        return;
    const QRectF label = toRectF(place);
    const QFontMetricsF metrics(font());
    QString text = term(node.title);
    const QString both = text + QStringLiteral("  ") + costText(m_metric, node.value);
    if (metrics.horizontalAdvance(both) <= label.width())
        text = both;
    const bool left = label.right() <= rect.left();
    const QString shown = metrics.elidedText(text, Qt::ElideRight, label.width());
    const double wide = metrics.horizontalAdvance(shown) + 4.0;
    QColor behind = theme().surface; // readable on any band
    behind.setAlphaF(0.75F);
    painter.fillRect(
        QRectF(left ? label.right() - wide : label.left() - 2.0, label.top(), wide, label.height()),
        behind);
    painter.setPen(theme().text);
    const int side = left ? Qt::AlignRight : Qt::AlignLeft;
    painter.drawText(label, side | Qt::AlignVCenter, shown);
}

ChartTable SankeyView::table() const
{
    ChartTable table;
    table.headings << tr("From") << tr("To")
                   << tr("%1 (%2)").arg(term(viz::title(m_metric)), toQString(viz::unit(m_metric)));
    for (const viz::FlowGraph::Link& link : m_graph.links)
        table.rows.push_back({textCell(term(m_graph.nodes[link.from].title)),
                              textCell(term(m_graph.nodes[link.to].title)),
                              numberCell(link.value)});
    return table;
}

} // namespace ep::ui
