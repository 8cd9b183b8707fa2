// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/charts/treemap_view.h"

#include "chart_paint.h"
#include "cost_text.h"

#include "ep/core/format.h"
#include "ep/ui/charts/chart_export.h"
#include "ep/ui/terms.h"
#include "ep/viz/metric.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ep::ui {
namespace {

constexpr double kCellsMargin = 6.0;

double barHeight(const QFontMetricsF& metrics)
{
    return std::max(24.0, std::ceil(metrics.height() + 8.0));
}

// A title of a few characters at most, for boxes that are too small for the whole one.
QString shortTitle(const viz::CostTree::Node& node)
{
    if (!node.key.rest && !node.key.operation && node.key.component)
        return toQString(viz::shortName(*node.key.component));
    if (!node.key.rest && !node.key.component && node.key.layer)
        return translated("L%1").arg(*node.key.layer);
    return term(node.title);
}

std::optional<RunPart> partOf(const viz::CostKey& key)
{
    if (key.component)
        return partOf(*key.component);
    if (key.section)
        return partOf(*key.section);
    if (key.rest)
        return key.phase ? remainderOf(*key.phase) : RunPart::Outside;
    return std::nullopt;
}

} // namespace

void select(SelectionController& controller, const viz::CostKey& key)
{
    viz::Selection selection = controller.selection().withoutPart();
    if (key.phase)
        selection = controller.index().withPhase(selection, *key.phase);
    else
        selection = selection.withoutTime();
    selection.layer = key.layer;
    selection.component = key.component;
    selection.operation = key.operation;
    controller.select(selection);
}

void TreemapView::setTree(std::shared_ptr<const viz::CostTree> tree)
{
    const viz::CostKey shown = m_tree && m_root != 0 ? m_tree->nodes[m_root].key : viz::CostKey{};
    m_tree = std::move(tree);
    m_root = m_tree && shown != viz::CostKey{} ? m_tree->find(shown).value_or(0) : 0;
    relayout();
}

// A selected phase and its parts have the same name, which is shown only once.
std::vector<std::size_t> TreemapView::shownPath() const
{
    std::vector<std::size_t> path = m_tree->path(m_root);
    if (path.size() > 1 && m_tree->nodes.front().children.size() == 1
        && term(m_tree->nodes[path[1]].title) == term(m_tree->nodes.front().title))
        path.erase(path.begin());
    return path;
}

void TreemapView::setMetric(viz::CostMetric metric)
{
    m_metric = metric;
    relayout();
}

void TreemapView::setRoot(std::size_t node)
{
    if (!m_tree || node >= m_tree->nodes.size() || node == m_root)
        return;
    m_root = node;
    relayout();
}

void TreemapView::relayout()
{
    const QFontMetricsF metrics(font());
    viz::TreemapStyle style;
    style.char_width = metrics.averageCharWidth();
    style.line_height = std::ceil(metrics.height());
    const double bar = barHeight(metrics);
    const viz::Rect plot{kCellsMargin, bar, std::max(0.0, width() - 2.0 * kCellsMargin),
                         std::max(0.0, height() - 2.0 * bar)};
    m_geometry = m_tree ? viz::layoutTreemap(*m_tree, m_root, m_metric, plot, style)
                        : viz::TreemapGeometry{};
    m_crumbs.clear();
    m_wholeRun = {};
    if (m_tree) {
        double x = kCellsMargin;
        const double arrow = metrics.horizontalAdvance(QStringLiteral("›")) + 4.0;
        if (controller() && controller()->selection().time) {
            m_wholeRun = {x, 0.0, metrics.horizontalAdvance(tr("Run")) + 12.0, bar};
            x = m_wholeRun.right() + arrow;
        }
        for (const std::size_t node : shownPath()) {
            const double own = metrics.horizontalAdvance(term(m_tree->nodes[node].title)) + 12.0;
            m_crumbs.emplace_back(x, 0.0, own, bar);
            x += own + arrow;
        }
    }
    itemsChanged();
    if (controller())
        selectionChanged();
}

QRectF TreemapView::crumbRect(int level) const
{
    const auto at = static_cast<std::size_t>(level);
    return level >= 0 && at < m_crumbs.size() ? m_crumbs[at] : QRectF();
}

QRectF TreemapView::captionRect() const
{
    const double bar = barHeight(QFontMetricsF(font()));
    return {kCellsMargin, height() - bar, width() - 2.0 * kCellsMargin, bar};
}

QRectF TreemapView::itemRect(std::size_t item) const
{
    return toRectF(m_geometry.cells[item].rect);
}

void TreemapView::choose(std::size_t item)
{
    const viz::TreemapCell& cell = m_geometry.cells[item];
    if (!controller() || cell.other())
        return;
    select(*controller(), m_tree->nodes[cell.node].key);
}

void TreemapView::activate(std::size_t item)
{
    // A leaf opens the box that it is part of.
    const viz::TreemapCell& cell = m_geometry.cells[item];
    const viz::CostTree::Node& node = m_tree->nodes[cell.node];
    const std::size_t inside = node.children.empty() ? node.parent : cell.node;
    if (inside != m_root)
        setRoot(inside);
}

// The cell selected by another chart gets the cursor.
void TreemapView::selectionChanged()
{
    if (choosing() || !m_tree)
        return;
    const viz::Selection& chosen = controller()->selection();
    int found = -1;
    if (chosen.layer || chosen.component || chosen.phase) {
        for (std::size_t i = 0; i < m_geometry.cells.size(); ++i) {
            const viz::CostKey& key = m_tree->nodes[m_geometry.cells[i].node].key;
            if (!m_geometry.cells[i].other() && !key.rest && !key.section
                && (!chosen.phase || key.phase == chosen.phase) && key.layer == chosen.layer
                && key.component == chosen.component && key.operation == chosen.operation) {
                found = static_cast<int>(i);
                break;
            }
        }
    }
    setCurrentItem(found);
}

void TreemapView::paintContent(QPainter& painter)
{
    if (!m_tree) {
        paintEmptyText(painter, emptyText());
        return;
    }
    paintCrumbs(painter);
    if (m_geometry.cells.empty()) {
        const QString words = term(viz::title(m_metric));
        paintEmpty(
            painter, toRectF(m_geometry.plot), theme(),
            m_geometry.all_missing
                ? tr("%1: — (missing). Select time, or make a run with a power source.").arg(words)
                : tr("%1 is not positive in any part.").arg(words));
        return;
    }
    for (const viz::TreemapCell& cell : m_geometry.cells)
        paintCell(painter, cell);
    dimUnmatched(painter);
    paintCaption(painter);
}

void TreemapView::paintCell(QPainter& painter, const viz::TreemapCell& cell) const
{
    const viz::CostTree::Node& node = m_tree->nodes[cell.node];
    const QRectF rect = toRectF(cell.rect);
    QColor fill = node.key.phase ? theme().phase(*node.key.phase) : theme().outline;
    const auto part = partOf(node.key);
    if (cell.container) {
        fill = node.key.phase ? theme().band(*node.key.phase) : theme().surface;
        painter.fillRect(rect, fill);
    } else if (cell.other()) {
        fill = theme().grid;
        painter.fillRect(rect, fill);
        painter.fillRect(rect, QBrush(theme().outline, Qt::Dense6Pattern));
    } else if (part) {
        fill = theme().part(*part);
        paintPart(painter, rect, theme(), *part);
    } else {
        painter.fillRect(rect, fill);
    }
    if (rect.width() >= 2.0 && rect.height() >= 2.0) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(cell.container ? theme().outline : theme().surface, 1.0));
        painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    if (!cell.label)
        return;
    const QFontMetricsF metrics(font());
    const QRectF inside = rect.adjusted(4.0, 1.0, -4.0, -1.0);
    QString title = cell.other() ? tr("%1 others").arg(cell.others.size()) : term(node.title);
    if (!cell.other() && metrics.horizontalAdvance(title) > inside.width())
        title = shortTitle(node);
    const QString value = costText(m_metric, cell.value);
    const bool hatched = (part && partPattern(*part) != Qt::SolidPattern) || cell.other();
    if (hatched && !cell.container) { // text stays readable on any hatching
        const double wide = std::min(inside.width(), metrics.horizontalAdvance(title) + 6.0);
        painter.fillRect(QRectF(inside.left() - 2.0, inside.top(), wide, metrics.height()),
                         cell.other() ? theme().surface : fill);
    }
    painter.setPen(cell.container || cell.other() ? theme().text : theme().textOn(fill));
    if (cell.container) {
        const QString both = title + QStringLiteral("  ") + value;
        paintElided(painter, {inside.left(), inside.top(), inside.width(), metrics.height()},
                    Qt::AlignLeft | Qt::AlignTop,
                    metrics.horizontalAdvance(both) <= inside.width() ? both : title);
        return;
    }
    paintElided(painter, inside, Qt::AlignLeft | Qt::AlignTop, title);
    if (inside.height() >= 2.0 * metrics.height() && !hatched
        && metrics.horizontalAdvance(value) <= inside.width())
        painter.drawText(inside.adjusted(0.0, metrics.height(), 0.0, 0.0),
                         Qt::AlignLeft | Qt::AlignTop, value);
}

void TreemapView::paintCrumbs(QPainter& painter)
{
    const auto path = shownPath();
    const auto paintCrumb = [&](const QRectF& place, const QString& title, bool last) {
        QFont own = font();
        own.setUnderline(!last);
        painter.setFont(own);
        painter.setPen(last ? theme().text : theme().focus);
        painter.drawText(place.adjusted(6.0, 0.0, 0.0, 0.0), Qt::AlignLeft | Qt::AlignVCenter,
                         title);
        painter.setFont(font());
        painter.setPen(theme().mutedText);
        if (!last)
            painter.drawText(QRectF(place.right(), 0.0, 20.0, place.height()),
                             Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("›"));
    };
    if (!m_wholeRun.isEmpty())
        paintCrumb(m_wholeRun, tr("Run"), false);
    for (std::size_t i = 0; i < path.size(); ++i)
        paintCrumb(m_crumbs[i], term(m_tree->nodes[path[i]].title), i + 1 == path.size());
    const QString whole = term(viz::title(m_metric)) + QStringLiteral(": ")
        + costText(m_metric, m_tree->nodes[m_root].cost, m_tree->baseline, powerSource());
    const double left = m_crumbs.back().right() + 16.0;
    if (width() - kCellsMargin > left)
        paintElided(painter,
                    QRectF(left, 0.0, width() - kCellsMargin - left, m_crumbs.back().height()),
                    Qt::AlignRight | Qt::AlignVCenter, whole);
}

void TreemapView::paintCaption(QPainter& painter) const
{
    std::array<bool, kRunPartCount> parts{};
    for (const viz::TreemapCell& cell : m_geometry.cells)
        if (const auto part = partOf(m_tree->nodes[cell.node].key);
            part && !cell.container && !cell.other())
            parts[static_cast<std::size_t>(*part)] = true;
    const QRectF rect = captionRect();
    const Provenance provenance = m_metric == viz::CostMetric::Time
        ? Provenance::Measured
        : m_tree->nodes.front().cost.provenance;
    const double used = paintPartLegend(painter, rect, theme(), parts, provenance);
    QString text; // exported files have no hint, since nobody can click there
    if (!isBeingExported(*this))
        text = tr("Double-click or press Enter to zoom in, Backspace to zoom out.");
    if (m_geometry.missing > 0)
        text = tr("%1 parts without a value are not shown. ").arg(m_geometry.missing) + text;
    painter.setPen(theme().mutedText);
    // Omits a hint that does not fit, since a truncated hint is useless.
    if (rect.width() - used >= QFontMetricsF(font()).horizontalAdvance(text))
        painter.drawText(rect.adjusted(used, 0.0, 0.0, 0.0), Qt::AlignRight | Qt::AlignVCenter,
                         text);
}

void TreemapView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && m_tree) {
        if (m_wholeRun.contains(event->position())) {
            controller()->clear();
            return;
        }
        const auto path = shownPath();
        for (std::size_t i = 0; i < m_crumbs.size(); ++i) {
            if (m_crumbs[i].contains(event->position())) {
                setRoot(path[i]);
                return;
            }
        }
    }
    ItemView::mouseReleaseEvent(event);
}

void TreemapView::keyPressEvent(QKeyEvent* event)
{
    const bool back = event->key() == Qt::Key_Backspace || event->key() == Qt::Key_Escape;
    if (m_tree && m_root != 0 && back) {
        setRoot(m_tree->nodes[m_root].parent);
        return;
    }
    ItemView::keyPressEvent(event);
}

// Texts of the treemap's boxes: tool tips, text that can be searched, and table.

QString TreemapView::describeItem(std::size_t item) const
{
    const viz::TreemapCell& cell = m_geometry.cells[item];
    const viz::CostTree::Node& node = m_tree->nodes[cell.node];
    QStringList path;
    for (const std::size_t step : m_tree->path(cell.node))
        if (step != 0)
            path << term(m_tree->nodes[step].title);
    QString text;
    if (cell.other()) {
        path << tr("%1 others").arg(cell.others.size());
        text = tr("%1: %2").arg(path.join(QStringLiteral(" › ")), costText(m_metric, cell.value));
    } else {
        text = tr("%1: %2").arg(path.join(QStringLiteral(" › ")),
                                costText(m_metric, node.cost, m_tree->baseline, powerSource()));
    }
    text += tr(", %1 of %2")
                .arg(toQString(formatPercent(cell.share)), term(m_tree->nodes[m_root].title));
    if (!cell.other() && m_metric != viz::CostMetric::Time)
        text += tr("\nin %1").arg(
            costText(viz::CostMetric::Time, node.cost, std::nullopt, powerSource()));
    if (cell.other()) {
        QStringList names;
        for (std::size_t i = 0; i < cell.others.size() && i < 6; ++i)
            names << term(m_tree->nodes[cell.others[i]].title);
        text += QLatin1Char('\n') + names.join(QStringLiteral(", "))
            + (cell.others.size() > 6 ? QStringLiteral(", …") : QString());
    }
    return text;
}

// Text that a search matches. A container is dimmed together with its parts; parts match if their
// layer or component matches.
QString TreemapView::searchableText(std::size_t item) const
{
    const viz::TreemapCell& cell = m_geometry.cells[item];
    if (cell.container)
        return {};
    const auto textOf = [this](std::size_t node) {
        const viz::CostTree::Node& of = m_tree->nodes[node];
        QString text = term(of.title);
        if (of.key.component)
            text += QLatin1Char(' ') + toQString(name(*of.key.component));
        if (of.key.operation)
            text += QLatin1Char(' ') + toQString(name(*of.key.operation));
        return text;
    };
    QStringList texts;
    for (const std::size_t node : m_tree->path(cell.node))
        texts << textOf(node);
    for (const std::size_t node : cell.others)
        texts << textOf(node);
    return texts.join(QLatin1Char('\n'));
}

QString TreemapView::summary() const
{
    return m_tree ? term(viz::summarize(*m_tree, m_root, m_metric)) : emptyText();
}

ChartTable TreemapView::table() const
{
    ChartTable table;
    if (!m_tree)
        return table;
    const QString unit = toQString(viz::unit(m_metric));
    table.headings << tr("Part") << tr("Time (ms)")
                   << tr("%1 (%2)").arg(term(viz::title(m_metric)), unit) << tr("Provenance");
    for (std::size_t i = m_root; i < m_tree->nodes.size(); ++i) {
        const auto path = m_tree->path(i);
        if (std::find(path.begin(), path.end(), m_root) == path.end())
            continue;
        QStringList names;
        for (const std::size_t step : path)
            names << term(m_tree->nodes[step].title);
        const Tally& cost = m_tree->nodes[i].cost;
        table.rows.push_back(
            {textCell(names.join(QStringLiteral(" › "))),
             numberCell(toMilliseconds(cost.duration_ns)), numberCell(m_tree->value(i, m_metric)),
             textCell(energyWord(m_metric == viz::CostMetric::Time ? Provenance::Measured
                                                                   : cost.provenance))});
    }
    return table;
}

} // namespace ep::ui
