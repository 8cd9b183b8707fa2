// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/charts/heatmap_view.h"

#include "chart_paint.h"

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

QString number(const viz::DisplayUnit& unit, const std::optional<double>& value, bool withUnit)
{
    return value ? fromUtf8(viz::formatIn(unit, *value, withUnit)) : QStringLiteral("—");
}

QString reductionText(const viz::HeatmapData& data)
{
    const QString tokens =
        data.tokens == 1 ? QObject::tr("1 token") : QObject::tr("%1 tokens").arg(data.tokens);
    if (data.metric == viz::HeatmapMetric::ActivationMax)
        return QObject::tr("maximum of %1").arg(tokens);
    const bool summed = data.reduction == viz::CellReduction::Sum
        && (data.metric == viz::HeatmapMetric::TimeMs
            || data.metric == viz::HeatmapMetric::EnergyMj);
    return (summed ? QObject::tr("sum of %1") : QObject::tr("mean of %1")).arg(tokens);
}

QString provenanceText(const viz::HeatmapData& data)
{
    QString text = provenanceLabel(data.provenance);
    if (data.partial && data.provenance != Provenance::Missing)
        text += QObject::tr(", in part missing");
    return text;
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

void HeatmapView::paintContent(QPainter& painter)
{
    if (!m_data || m_data->empty()) {
        paintEmptyText(painter, m_emptyText);
        return;
    }
    if (m_geometry.empty()) {
        paintEmptyText(painter,
                       tr("Too small to show %1 layers; enlarge the window.").arg(m_data->layers));
        return;
    }
    paintCells(painter);
    paintHeaders(painter);
    paintLegend(painter);
}

void HeatmapView::paintCells(QPainter& painter) const
{
    const auto unit = viz::displayUnit(viz::unit(m_data->metric), m_high);
    const auto columns = static_cast<int>(m_data->components.size());
    for (int layer = 0; layer < m_data->layers; ++layer) {
        for (int column = 0; column < columns; ++column) {
            const auto value = m_data->at(layer, column);
            const QRectF rect = toRectF(m_geometry.cell(layer, column));
            const QColor fill = value ? theme().scale(fraction(*value)) : theme().surface;
            if (value)
                painter.fillRect(rect, fill);
            else
                paintMissing(painter, rect, theme());
            if (m_geometry.cell_labels) {
                painter.setPen(theme().textOn(fill));
                painter.drawText(rect, Qt::AlignCenter, number(unit, value, false));
            }
        }
    }
    if (m_data->allMissing()) {
        const QString text = viz::needsEnergy(m_data->metric)
            ? tr("No energy: no power source covered this run.")
            : tr("%1 was not recorded.").arg(fromUtf8(viz::title(m_data->metric)));
        paintNotice(painter, toRectF(m_geometry.plot), theme(), text);
    }
    painter.setPen(QPen(theme().outline, 1.0));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(toRectF(m_geometry.plot).adjusted(-0.5, -0.5, 0.5, 0.5));
}

void HeatmapView::paintHeaders(QPainter& painter) const
{
    const auto unit = viz::displayUnit(viz::unit(m_data->metric), m_high);
    const double line = QFontMetricsF(font()).height();
    const double margin = 6.0;
    painter.setPen(theme().text);

    for (std::size_t c = 0; c < m_data->components.size(); ++c) {
        const double left = m_geometry.column_edges[c];
        const double width = m_geometry.column_edges[c + 1] - left;
        const QString text = fromUtf8(viz::shortName(m_data->components[c]));
        const QRectF head(left, m_geometry.column_header.y, width, m_geometry.column_header.height);
        if (m_geometry.vertical_names) {
            painter.save();
            painter.translate(head.center().x(), head.bottom() - margin / 2.0);
            painter.rotate(-90.0);
            painter.drawText(QRectF(0.0, -line / 2.0, head.height(), line),
                             Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text);
            painter.restore();
        } else {
            painter.drawText(head, Qt::AlignCenter | Qt::TextSingleLine, text);
        }
    }
    for (int layer = 0; layer < m_data->layers; layer += m_geometry.row_label_step) {
        const double middle = m_geometry.cell(layer, 0).centre().y;
        painter.drawText(QRectF(m_geometry.row_header.x, middle - line / 2.0,
                                m_geometry.row_header.width - margin, line),
                         Qt::AlignRight | Qt::AlignVCenter, QString::number(layer));
    }

    painter.setPen(theme().mutedText);
    const bool columnMeans = !m_geometry.column_means.empty();
    const QRectF names = toRectF(m_geometry.column_header);
    const QRectF means = toRectF(columnMeans ? m_geometry.column_means : m_geometry.column_header);
    const auto corner = [&](const QRectF& row, const QString& text) {
        painter.drawText(QRectF(m_geometry.row_header.x - margin, row.bottom() - line,
                                m_geometry.row_header.width, line),
                         Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, text);
    };
    corner(names, tr("Layer"));
    if (columnMeans) {
        corner(means, tr("mean"));
        for (std::size_t c = 0; c < m_data->components.size(); ++c) {
            const double left = m_geometry.column_edges[c];
            painter.drawText(
                QRectF(left, means.top(), m_geometry.column_edges[c + 1] - left, means.height()),
                Qt::AlignCenter | Qt::TextSingleLine,
                number(unit, m_data->columnMean(static_cast<int>(c)), false));
        }
    }
    if (m_geometry.row_means.empty())
        return;
    const double left = m_geometry.row_means.x;
    const double width = m_geometry.row_means.width;
    painter.drawText(QRectF(left, means.bottom() - line, width, line),
                     Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, tr("mean"));
    for (int layer = 0; layer < m_data->layers; layer += m_geometry.row_label_step) {
        const double middle = m_geometry.cell(layer, 0).centre().y;
        painter.drawText(QRectF(left, middle - line / 2.0, width, line),
                         Qt::AlignRight | Qt::AlignVCenter,
                         number(unit, m_data->rowMean(layer), false));
    }
}

void HeatmapView::paintLegend(QPainter& painter) const
{
    if (m_geometry.legend.empty())
        return;
    const auto unit = viz::displayUnit(viz::unit(m_data->metric), m_high);
    ScaleLegend legend;
    legend.low = number(unit, m_low, false);
    if (!m_data->allMissing())
        legend.high = number(unit, m_high, true);
    legend.caption = tr("%1, %2 · %3")
                         .arg(fromUtf8(viz::title(m_data->metric)), reductionText(*m_data),
                              provenanceText(*m_data));
    legend.provenance = m_data->provenance;
    legend.hasMissing = std::any_of(m_data->values.begin(), m_data->values.end(),
                                    [](const auto& value) { return !value.has_value(); });
    QRectF area = toRectF(m_geometry.legend);
    area.setRight(width() - 8.0); // the plot may be narrower than the view
    paintScaleLegend(painter, area, theme(), legend);
}

void HeatmapView::paintOverlay(QPainter& painter)
{
    painter.setBrush(Qt::NoBrush);
    const auto mark = [&](const viz::HeatmapCell& cell, const QColor& colour, double width) {
        QPen pen(colour, width);
        pen.setJoinStyle(Qt::MiterJoin);
        painter.setPen(pen);
        painter.drawRect(toRectF(m_geometry.cell(cell.layer, cell.column)));
    };
    if (m_hover && !m_geometry.empty())
        mark(*m_hover, theme().text, 1.0);
    if (m_cursor && !m_geometry.empty()) {
        mark(*m_cursor, theme().surface, 4.0); // separates the ring from cells of any colour
        mark(*m_cursor, theme().focus, 2.0);
    }
    PaintedView::paintOverlay(painter);
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
