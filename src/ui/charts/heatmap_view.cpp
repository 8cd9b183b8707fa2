// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/charts/heatmap_view.h"

#include "chart_paint.h"
#include "heatmap_scene.h"

#include "ep/core/own_part.h"
#include "ep/ui/charts/scene_view.h"
#include "ep/ui/terms.h"
#include "ep/viz/axis.h"
#include "ep/viz/colour.h"

#include <QFontMetricsF>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <iterator>

namespace ep::ui {

namespace {

constexpr int kPageRows = 10;

} // namespace

HeatmapView::HeatmapView(QWidget* parent)
    : ItemView(tr("Heatmap of layers and components"), QStringLiteral("heatmap"), parent)
{
    setEmptyText(tr("No layers recorded yet."));
    for (const auto chosen : {&ItemView::itemClicked, &ItemView::itemActivated})
        connect(this, chosen, this, [this](int item) {
            const auto cell = static_cast<std::size_t>(item);
            Q_EMIT cellActivated(m_data->layerOf(cellOf(cell).row), componentOf(cell));
        });
}

void HeatmapView::setData(std::shared_ptr<const viz::HeatmapData> data)
{
    const auto before = current(); // because the order of rows may change
    m_data = std::move(data);
    std::optional<std::size_t> kept;
    if (before && m_data) {
        const viz::GridCell cell{m_data->rowOf(before->layer), m_data->columnOf(before->component)};
        if (cell.row >= 0 && cell.column >= 0)
            kept = itemOf(cell);
    }
    if (m_data)
        m_scale = viz::scaleOf(*m_data, m_fixedHigh);
    setMaximumHeight(m_data && !m_data->empty()
                         ? static_cast<int>(viz::tallestHeatmap(*m_data, style()))
                         : QWIDGETSIZE_MAX);
    layoutCells();
    resetItems(kept);
    contentChangedOften();
}

QString HeatmapView::summary() const
{
    const QString text = term(viz::summarize(*m_data));
    return m_data->allMissing() ? text + QStringLiteral(". ") + absenceText(*m_data) : text;
}

viz::GridCell HeatmapView::cellOf(std::size_t item) const
{
    const std::size_t columns = m_data->components.size();
    return {static_cast<int>(item / columns), static_cast<int>(item % columns)};
}

std::size_t HeatmapView::itemOf(const viz::GridCell& cell) const
{
    return static_cast<std::size_t>(cell.row) * m_data->components.size()
        + static_cast<std::size_t>(cell.column);
}

std::optional<HeatmapView::Current> HeatmapView::current() const
{
    if (!at().current)
        return std::nullopt;
    return Current{m_data->layerOf(cellOf(*at().current).row), componentOf(*at().current)};
}

void HeatmapView::setCurrent(int layer, Component component)
{
    const int column = m_data ? m_data->columnOf(component) : -1;
    const int row = m_data ? m_data->rowOf(layer) : -1;
    if (column >= 0 && row >= 0)
        setCurrentItem(static_cast<int>(itemOf({row, column})));
}

QString HeatmapView::describeItem(std::size_t item) const
{
    const viz::GridCell cell = cellOf(item);
    return describe(m_data->layerOf(cell.row), cell.column);
}

QRectF HeatmapView::itemRect(std::size_t item) const
{
    const viz::GridCell cell = cellOf(item);
    return m_geometry.empty() ? QRectF() : toRectF(m_geometry.cell(cell.row, cell.column));
}

std::optional<std::size_t> HeatmapView::itemAt(viz::Point point) const
{
    const auto cell = m_geometry.hit(point);
    return cell ? std::optional(itemOf(*cell)) : std::nullopt;
}

QString HeatmapView::describe(int layer, int column) const
{
    const Component component = m_data->components[static_cast<std::size_t>(column)];
    const auto value = m_data->at(m_data->rowOf(layer), column);
    const auto unit = viz::displayUnit(viz::unit(m_data->metric), value.value_or(0.0));
    const QString place =
        tr("Layer %1, %2").arg(QString::number(layer), toQString(ep::name(component)));
    if (!value)
        return tr("%1: — (%2)").arg(place, provenanceLabel(Provenance::Missing));
    return tr("%1: %2 (%3, %4)")
        .arg(place, number(unit, value, true), provenanceText(*m_data, powerSource()),
             reductionText(*m_data, ofBatch()));
}

viz::HeatmapStyle HeatmapView::style() const
{
    return heatmapStyle(sceneFontOf(QFontMetricsF(font())), width());
}

void HeatmapView::layoutCells()
{
    m_geometry =
        m_data ? viz::layoutHeatmap(*m_data, width(), height(), style()) : viz::HeatmapGeometry{};
}

void HeatmapView::relayout()
{
    layoutCells();
    contentChanged();
}

QString HeatmapView::toolTipAt(const QPointF& position) const
{
    const auto item = itemAt(toPoint(position));
    if (!item)
        return {};
    return describeItem(*item) + QLatin1Char('\n') + term(viz::title(componentOf(*item)))
        + QLatin1Char('\n') + term(viz::title(m_data->metric)) + QStringLiteral(": ")
        + (!m_data->values[*item] ? absenceText(*m_data)
               : viz::needsEnergy(m_data->metric)
               ? energyExplanation(powerSource(), m_data->provenance)
               : tr("recorded during the run"));
}

void HeatmapView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || at().pressed || !chooseHeader(event->position()))
        ItemView::mouseReleaseEvent(event);
}

std::optional<std::size_t> HeatmapView::itemFor(int key) const
{
    constexpr int kAll = kComponentSlots;
    static constexpr struct {
        int key;
        int rows;
        int columns;
    } kSteps[] = {
        {Qt::Key_Left, 0, -1},    {Qt::Key_Right, 0, 1},           {Qt::Key_Up, -1, 0},
        {Qt::Key_Down, 1, 0},     {Qt::Key_PageUp, -kPageRows, 0}, {Qt::Key_PageDown, kPageRows, 0},
        {Qt::Key_Home, 0, -kAll}, {Qt::Key_End, 0, kAll}};
    const auto step = std::ranges::find(kSteps, key, [](const auto& of) { return of.key; });
    if (itemCount() == 0 || step == std::end(kSteps))
        return std::nullopt;
    if (!at().current) // the first key press only shows the cursor
        return 0;
    const viz::GridCell cell = cellOf(*at().current);
    const int lastColumn = static_cast<int>(m_data->components.size()) - 1;
    return itemOf({std::clamp(cell.row + step->rows, 0, m_data->layers - 1),
                   std::clamp(cell.column + step->columns, 0, lastColumn)});
}

void HeatmapView::currentMoved()
{
    const auto cell = current();
    if (!cell)
        return;
    if (controller()) {
        const viz::Selection& chosen = controller()->selection();
        if (chosen.layer != cell->layer || chosen.component != cell->component)
            controller()->selectPart(cell->layer, cell->component);
    }
    Q_EMIT currentChanged(cell->layer, cell->component);
}

void HeatmapView::selectionChanged()
{
    const viz::Selection& chosen = controller()->selection();
    if (chosen.layer && chosen.component)
        setCurrent(*chosen.layer, *chosen.component);
    else
        setCurrentItem(-1);
    update();
}

QString HeatmapView::searchableText(std::size_t item) const
{
    return tr("layer %1").arg(m_data->layerOf(cellOf(item).row)) + QLatin1Char(' ')
        + toQString(ep::name(componentOf(item))) + QLatin1Char(' ')
        + term(viz::title(componentOf(item)));
}

bool HeatmapView::chooseHeader(const QPointF& position)
{
    if (!controller() || !m_data || m_geometry.empty())
        return false;
    // A heading is identified by the cell next to it or below it.
    const viz::Rect& plot = m_geometry.plot;
    const viz::Point at = toPoint(position);
    if (m_geometry.row_header.contains(at)) {
        if (const auto cell = m_geometry.hit({plot.x + 0.5, at.y})) {
            controller()->selectPart(m_data->layerOf(cell->row));
            return true;
        }
    } else if (m_geometry.column_header.contains(at)) {
        if (const auto cell = m_geometry.hit({at.x, plot.y + 0.5})) {
            controller()->selectPart(std::nullopt,
                                     m_data->components[static_cast<std::size_t>(cell->column)]);
            return true;
        }
    }
    return false;
}

ChartDetails HeatmapView::detailsOf(std::size_t item) const
{
    const viz::GridCell cell = cellOf(item);
    const auto& value = m_data->values[item];
    const auto unit = viz::displayUnit(viz::unit(m_data->metric), value.value_or(0.0));
    const auto mean = m_data->columnMean(cell.column);
    const auto meanUnit = viz::displayUnit(viz::unit(m_data->metric), mean.value_or(0.0));
    ChartDetails details;
    details.title =
        tr("Layer %1, %2")
            .arg(QString::number(m_data->layerOf(cell.row)), toQString(name(componentOf(item))));
    details.rows = {{term(viz::title(m_data->metric)), number(unit, value, true)},
                    {tr("Mean of all layers"), number(meanUnit, mean, true)},
                    {tr("Shown"), reductionText(*m_data, ofBatch())},
                    {tr("Provenance"), provenanceText(*m_data, powerSource())}};
    if (!value)
        details.rows.back() = {tr("Missing"), absenceText(*m_data)};
    return details;
}

ChartTable HeatmapView::table() const
{
    ChartTable table;
    if (!m_data)
        return table;
    table.headings << tr("Layer");
    const QString unit = toQString(viz::unit(m_data->metric));
    for (const Component component : m_data->components)
        table.headings << toQString(name(component))
                + (unit.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(unit));
    for (int line = 0; line < m_data->layers; ++line) {
        auto& row = table.rows.emplace_back();
        row.push_back(numberCell(m_data->layerOf(line)));
        for (int column = 0; column < static_cast<int>(m_data->components.size()); ++column)
            row.push_back(numberCell(m_data->at(line, column)));
    }
    return table;
}

void HeatmapView::paintContent(QPainter& painter)
{
    if (!m_data || m_data->empty()) {
        paintEmptyText(painter, emptyText());
        return;
    }
    if (m_geometry.empty()) {
        paintEmptyText(
            painter,
            tr("The window is too small to show %1 layers; enlarge it.").arg(m_data->layers));
        return;
    }
    paintItems(painter,
               heatmapScene(*m_data, m_geometry, m_scale,
                            {.source = powerSource(), .steps = ofBatch()},
                            {static_cast<double>(width()), static_cast<double>(height()),
                             sceneFontOf(QFontMetricsF(font()))}),
               theme().scenePalette());
    dimUnmatched(painter);
}

bool HeatmapView::ofBatch() const
{
    if (!controller())
        return m_batch;
    const RunPtr run = controller()->run();
    return run && run->info.batch.size() > 1;
}

void HeatmapView::paintMark(QPainter& painter, std::size_t item, bool current) const
{
    if (!m_geometry.empty())
        paintRing(painter, itemRect(item), current, Qt::MiterJoin);
}

void HeatmapView::paintOverlay(QPainter& painter)
{
    if (controller() && !m_geometry.empty() && !at().current) {
        // A whole layer, or one component in all layers.
        const viz::Selection& chosen = controller()->selection();
        QRectF area;
        if (chosen.layer && !chosen.component && m_data->rowOf(*chosen.layer) >= 0) {
            area = toRectF(m_geometry.cell(m_data->rowOf(*chosen.layer), 0));
            area.setRight(m_geometry.plot.right());
        } else if (chosen.component && !chosen.layer && m_data->columnOf(*chosen.component) >= 0) {
            area = toRectF(m_geometry.cell(0, m_data->columnOf(*chosen.component)));
            area.setBottom(m_geometry.plot.bottom());
        }
        if (!area.isEmpty()) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(theme().focus, 2.0));
            painter.drawRect(area);
        }
    }
    ItemView::paintOverlay(painter);
}

} // namespace ep::ui
