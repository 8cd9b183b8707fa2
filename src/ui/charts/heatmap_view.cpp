// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/charts/heatmap_view.h"

#include "chart_paint.h"
#include "heatmap_scene.h"

#include "ep/ui/charts/chart_export.h"
#include "ep/ui/charts/scene_view.h"
#include "ep/ui/terms.h"
#include "ep/viz/axis.h"
#include "ep/viz/colour.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace ep::ui {

namespace {

constexpr int kPageRows = 10;

} // namespace

HeatmapView::HeatmapView(QWidget* parent)
    : PaintedView(parent)
    , m_emptyText(tr("No layers recorded yet."))
{
    setAccessibleName(tr("Heatmap of layers and components"));
    addExportActions(*this, QStringLiteral("heatmap"));
}

void HeatmapView::setData(std::shared_ptr<const viz::HeatmapData> data)
{
    const auto before = current(); // because the order of rows may change
    m_data = std::move(data);
    m_cursor.reset();
    if (before && m_data) {
        const viz::HeatmapCell cell{m_data->rowOf(before->layer),
                                    m_data->columnOf(before->component)};
        if (cell.row >= 0 && cell.column >= 0)
            m_cursor = cell;
    }
    m_hover.reset();
    m_pressed.reset();
    if (m_data)
        m_scale = viz::scaleOf(*m_data, m_fixedHigh);
    QString summary = m_emptyText;
    if (m_data && !m_data->empty())
        summary = term(viz::summarize(*m_data));
    if (m_data && m_data->allMissing())
        summary += QStringLiteral(". ") + absenceText(*m_data);
    setAccessibleDescription(summary);
    setMaximumHeight(m_data && !m_data->empty()
                         ? static_cast<int>(viz::tallestHeatmap(*m_data, style()))
                         : QWIDGETSIZE_MAX);
    layoutCells();
    contentChangedOften();
}

void HeatmapView::setScale(std::optional<double> high)
{
    m_fixedHigh = high;
}

void HeatmapView::setEmptyText(const QString& text)
{
    m_emptyText = text;
    if (!m_data || m_data->empty())
        setAccessibleDescription(text);
    contentChanged();
}

std::optional<HeatmapView::Current> HeatmapView::current() const
{
    if (!m_cursor || !m_data)
        return std::nullopt;
    return Current{m_data->layerOf(m_cursor->row),
                   m_data->components[static_cast<std::size_t>(m_cursor->column)]};
}

void HeatmapView::setCurrent(int layer, Component component)
{
    const int column = m_data ? m_data->columnOf(component) : -1;
    const int row = m_data ? m_data->rowOf(layer) : -1;
    if (column >= 0 && row >= 0)
        moveTo({row, column});
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

QSize HeatmapView::sizeHint() const
{
    return {640, 360};
}

QSize HeatmapView::minimumSizeHint() const
{
    return {240, 160};
}

viz::HeatmapStyle HeatmapView::style() const
{
    return heatmapStyle(sceneFontOf(QFontMetricsF(font())), width());
}

void HeatmapView::layoutCells()
{
    m_geometry =
        m_data ? viz::layoutHeatmap(*m_data, width(), height(), style()) : viz::HeatmapGeometry{};
    const bool inside = m_data && m_cursor && m_cursor->row < m_data->layers
        && m_cursor->column < static_cast<int>(m_data->components.size());
    if (!inside)
        m_cursor.reset();
}

void HeatmapView::relayout()
{
    layoutCells();
    contentChanged();
}

void HeatmapView::updateCell(const std::optional<viz::HeatmapCell>& cell)
{
    if (cell && !m_geometry.empty()) // with the ring around it
        update(toRectF(m_geometry.cell(cell->row, cell->column))
                   .adjusted(-3, -3, 3, 3)
                   .toAlignedRect());
}

QString HeatmapView::toolTipAt(const QPointF& position) const
{
    const auto cell = m_geometry.hit(toPoint(position));
    if (!cell || !m_data)
        return {};
    const Component component = m_data->components[static_cast<std::size_t>(cell->column)];
    return describe(m_data->layerOf(cell->row), cell->column) + QLatin1Char('\n')
        + term(viz::title(component)) + QLatin1Char('\n') + term(viz::title(m_data->metric))
        + QStringLiteral(": ")
        + (!m_data->at(cell->row, cell->column) ? absenceText(*m_data)
               : viz::needsEnergy(m_data->metric)
               ? energyExplanation(powerSource(), m_data->provenance)
               : tr("recorded during the run"));
}

void HeatmapView::themeChanged()
{
    relayout();
}

void HeatmapView::resizeEvent(QResizeEvent* event)
{
    PaintedView::resizeEvent(event);
    relayout();
}

void HeatmapView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        m_pressed = m_geometry.hit(toPoint(event->position()));
}

void HeatmapView::mouseReleaseEvent(QMouseEvent* event)
{
    const auto pressed = std::exchange(m_pressed, std::nullopt);
    if (event->button() == Qt::LeftButton && !pressed && chooseHeader(event->position()))
        return;
    if (event->button() != Qt::LeftButton || !pressed
        || m_geometry.hit(toPoint(event->position())) != pressed)
        return;
    moveTo(*pressed);
    pinCell(*pressed);
    Q_EMIT cellActivated(m_data->layerOf(pressed->row),
                         m_data->components[static_cast<std::size_t>(pressed->column)]);
}

void HeatmapView::mouseMoveEvent(QMouseEvent* event)
{
    const auto hover = m_geometry.hit(toPoint(event->position()));
    if (hover == m_hover)
        return;
    updateCell(m_hover);
    updateCell(hover);
    m_hover = hover;
}

void HeatmapView::leaveEvent(QEvent* event)
{
    updateCell(m_hover);
    m_hover.reset();
    PaintedView::leaveEvent(event);
}

void HeatmapView::keyPressEvent(QKeyEvent* event)
{
    if (!m_data || m_data->empty()) {
        PaintedView::keyPressEvent(event);
        return;
    }
    viz::HeatmapCell cell = m_cursor.value_or(viz::HeatmapCell{});
    const int lastColumn = static_cast<int>(m_data->components.size()) - 1;
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        moveTo(cell);
        pinCell(cell);
        Q_EMIT cellActivated(m_data->layerOf(cell.row),
                             m_data->components[static_cast<std::size_t>(cell.column)]);
        return;
    case Qt::Key_Left:
        --cell.column;
        break;
    case Qt::Key_Right:
        ++cell.column;
        break;
    case Qt::Key_Up:
        --cell.row;
        break;
    case Qt::Key_Down:
        ++cell.row;
        break;
    case Qt::Key_PageUp:
        cell.row -= kPageRows;
        break;
    case Qt::Key_PageDown:
        cell.row += kPageRows;
        break;
    case Qt::Key_Home:
        cell.column = 0;
        break;
    case Qt::Key_End:
        cell.column = lastColumn;
        break;
    default:
        PaintedView::keyPressEvent(event);
        return;
    }
    if (!m_cursor) // the first key press only shows the cursor
        cell = {};
    moveTo({std::clamp(cell.row, 0, m_data->layers - 1), std::clamp(cell.column, 0, lastColumn)});
}

void HeatmapView::moveTo(viz::HeatmapCell cell)
{
    if (m_cursor == cell)
        return;
    updateCell(m_cursor);
    m_cursor = cell;
    updateCell(m_cursor);
    const int layer = m_data->layerOf(cell.row);
    setAccessibleDescription(describe(layer, cell.column));
    const Component component = m_data->components[static_cast<std::size_t>(cell.column)];
    if (controller()) {
        const viz::Selection& chosen = controller()->selection();
        if (chosen.layer != layer || chosen.component != component)
            controller()->selectPart(layer, component);
    }
    Q_EMIT currentChanged(layer, component);
}

void HeatmapView::selectionChanged()
{
    const viz::Selection& chosen = controller()->selection();
    if (chosen.layer && chosen.component) {
        setCurrent(*chosen.layer, *chosen.component);
    } else if (m_cursor) {
        m_cursor.reset();
    }
    update();
}

void HeatmapView::searchChanged()
{
    contentChanged();
}

bool HeatmapView::matches(int row, int column) const
{
    if (!controller() || controller()->searchText().isEmpty())
        return true;
    const Component component = m_data->components[static_cast<std::size_t>(column)];
    const QString text = tr("layer %1").arg(m_data->layerOf(row)) + QLatin1Char(' ')
        + toQString(ep::name(component)) + QLatin1Char(' ') + term(viz::title(component));
    return matchesSearch(text);
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

void HeatmapView::pinCell(const viz::HeatmapCell& cell) const
{
    const Component component = m_data->components[static_cast<std::size_t>(cell.column)];
    const auto value = m_data->at(cell.row, cell.column);
    const auto unit = viz::displayUnit(viz::unit(m_data->metric), value.value_or(0.0));
    const auto mean = m_data->columnMean(cell.column);
    const auto meanUnit = viz::displayUnit(viz::unit(m_data->metric), mean.value_or(0.0));
    ChartDetails details;
    details.title =
        tr("Layer %1, %2")
            .arg(QString::number(m_data->layerOf(cell.row)), toQString(name(component)));
    details.rows = {{term(viz::title(m_data->metric)), number(unit, value, true)},
                    {tr("Mean of all layers"), number(meanUnit, mean, true)},
                    {tr("Shown"), reductionText(*m_data, ofBatch())},
                    {tr("Provenance"), provenanceText(*m_data, powerSource())}};
    if (!value)
        details.rows.back() = {tr("Missing"), absenceText(*m_data)};
    pin(details);
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
        paintEmptyText(painter, m_emptyText);
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
    for (int row = 0; row < m_data->layers; ++row) {
        for (int column = 0; column < static_cast<int>(m_data->components.size()); ++column) {
            if (!matches(row, column))
                paintVeil(painter, toRectF(m_geometry.cell(row, column)), theme());
        }
    }
}

bool HeatmapView::ofBatch() const
{
    if (!controller())
        return m_batch;
    const RunPtr run = controller()->run();
    return run && run->info.batch.size() > 1;
}

void HeatmapView::paintOverlay(QPainter& painter)
{
    painter.setBrush(Qt::NoBrush);
    const auto mark = [&](const viz::HeatmapCell& cell, const QColor& colour, double width) {
        QPen pen(colour, width);
        pen.setJoinStyle(Qt::MiterJoin);
        painter.setPen(pen);
        painter.drawRect(toRectF(m_geometry.cell(cell.row, cell.column)));
    };
    if (controller() && m_data && !m_geometry.empty() && !m_cursor) {
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
            painter.setPen(QPen(theme().focus, 2.0));
            painter.drawRect(area);
        }
    }
    if (m_hover && !m_geometry.empty())
        mark(*m_hover, theme().text, 1.0);
    if (m_cursor && !m_geometry.empty()) {
        mark(*m_cursor, theme().surface, 4.0); // separates the ring from cells of any colour
        mark(*m_cursor, theme().focus, 2.0);
    }
    PaintedView::paintOverlay(painter);
}

} // namespace ep::ui
