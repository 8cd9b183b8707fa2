// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/charts/heatmap_view.h"

#include "chart_paint.h"
#include "heatmap_text.h"

#include "ep/ui/charts/chart_export.h"
#include "ep/viz/axis.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace ep::ui {

namespace {

constexpr int kPageRows = 10;

viz::HeatmapStyle styleFor(const QFontMetricsF& metrics, double width)
{
    viz::HeatmapStyle style;
    style.char_width = metrics.averageCharWidth();
    style.line_height = metrics.height() + 2.0;
    style.legend_height = scaleLegendHeight(metrics, width);
    return style;
}

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
    m_data = std::move(data);
    m_hover.reset();
    m_pressed.reset();
    if (m_data) {
        // Values that cannot be negative start at zero, so that a colour is a proportion.
        m_low = std::min(0.0, m_data->smallest().value_or(0.0));
        m_high = std::max(0.0, m_data->largest().value_or(0.0));
    }
    setAccessibleDescription(m_data && !m_data->empty() ? fromUtf8(viz::summarize(*m_data))
                                                        : m_emptyText);
    layoutCells();
    contentChangedOften();
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
    return Current{m_cursor->layer, m_data->components[static_cast<std::size_t>(m_cursor->column)]};
}

void HeatmapView::setCurrent(int layer, Component component)
{
    const int column = m_data ? m_data->columnOf(component) : -1;
    if (column >= 0 && layer >= 0 && layer < m_data->layers)
        moveTo({layer, column});
}

QString HeatmapView::describe(int layer, int column) const
{
    const Component component = m_data->components[static_cast<std::size_t>(column)];
    const auto value = m_data->at(layer, column);
    const auto unit = viz::displayUnit(viz::unit(m_data->metric), value.value_or(0.0));
    const QString place =
        tr("Layer %1, %2").arg(QString::number(layer), fromUtf8(ep::name(component)));
    if (!value)
        return tr("%1: — (%2)").arg(place, provenanceLabel(Provenance::Missing));
    return tr("%1: %2 (%3, %4)")
        .arg(place, number(unit, value, true), provenanceText(*m_data), reductionText(*m_data));
}

QSize HeatmapView::sizeHint() const
{
    return {640, 360};
}

QSize HeatmapView::minimumSizeHint() const
{
    return {240, 160};
}

double HeatmapView::fraction(double value) const
{
    return m_high > m_low ? (value - m_low) / (m_high - m_low) : 0.0;
}

void HeatmapView::layoutCells()
{
    m_geometry = m_data
        ? viz::layoutHeatmap(*m_data, width(), height(), styleFor(QFontMetricsF(font()), width()))
        : viz::HeatmapGeometry{};
    const bool inside = m_data && m_cursor && m_cursor->layer < m_data->layers
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
    if (cell && !m_geometry.empty()) // with room for the ring around it
        update(toRectF(m_geometry.cell(cell->layer, cell->column))
                   .adjusted(-3, -3, 3, 3)
                   .toAlignedRect());
}

QString HeatmapView::toolTipAt(const QPointF& position) const
{
    const auto cell = m_geometry.hit(toPoint(position));
    if (!cell || !m_data)
        return {};
    const Component component = m_data->components[static_cast<std::size_t>(cell->column)];
    return describe(cell->layer, cell->column) + QLatin1Char('\n') + fromUtf8(viz::title(component))
        + QLatin1Char('\n') + fromUtf8(viz::title(m_data->metric)) + QStringLiteral(": ")
        + provenanceExplanation(m_data->at(cell->layer, cell->column) ? m_data->provenance
                                                                      : Provenance::Missing);
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
    if (event->button() != Qt::LeftButton || !pressed
        || m_geometry.hit(toPoint(event->position())) != pressed)
        return;
    moveTo(*pressed);
    Q_EMIT cellActivated(pressed->layer,
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
        Q_EMIT cellActivated(cell.layer, m_data->components[static_cast<std::size_t>(cell.column)]);
        return;
    case Qt::Key_Left:
        --cell.column;
        break;
    case Qt::Key_Right:
        ++cell.column;
        break;
    case Qt::Key_Up:
        --cell.layer;
        break;
    case Qt::Key_Down:
        ++cell.layer;
        break;
    case Qt::Key_PageUp:
        cell.layer -= kPageRows;
        break;
    case Qt::Key_PageDown:
        cell.layer += kPageRows;
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
    if (!m_cursor) // the first key only shows the cursor
        cell = {};
    moveTo({std::clamp(cell.layer, 0, m_data->layers - 1), std::clamp(cell.column, 0, lastColumn)});
}

void HeatmapView::moveTo(viz::HeatmapCell cell)
{
    if (m_cursor == cell)
        return;
    updateCell(m_cursor);
    m_cursor = cell;
    updateCell(m_cursor);
    setAccessibleDescription(describe(cell.layer, cell.column));
    Q_EMIT currentChanged(cell.layer, m_data->components[static_cast<std::size_t>(cell.column)]);
}

} // namespace ep::ui
