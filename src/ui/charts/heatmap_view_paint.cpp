// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_paint.h"
#include "heatmap_text.h"

#include "ep/ui/charts/heatmap_view.h"
#include "ep/ui/terms.h"
#include "ep/viz/axis.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace ep::ui {

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
    paintCells(painter);
    paintHeaders(painter);
    paintLegend(painter);
}

void HeatmapView::paintCells(QPainter& painter) const
{
    const QFontMetricsF metrics(font());
    const GridNumbers numbers =
        gridNumbers(m_data->metric, m_high, numberWidth(m_geometry), metrics);
    const auto columns = static_cast<int>(m_data->components.size());
    for (int row = 0; row < m_data->layers; ++row) {
        for (int column = 0; column < columns; ++column) {
            const auto value = m_data->at(row, column);
            const QRectF rect = toRectF(m_geometry.cell(row, column));
            const QColor fill = value ? theme().scale(fraction(*value)) : theme().surface;
            if (value)
                painter.fillRect(rect, fill);
            else
                paintMissing(painter, rect, theme());
            if (m_geometry.cell_labels) {
                painter.setPen(theme().textOn(fill));
                painter.drawText(rect, Qt::AlignCenter | Qt::TextSingleLine,
                                 fittingNumber(numbers, value, rect.width(), metrics));
            }
            if (!matches(row, column))
                paintVeil(painter, rect, theme());
        }
    }
    if (m_data->allMissing())
        paintNotice(painter, toRectF(m_geometry.plot), theme(), absenceText(*m_data));
    painter.setPen(QPen(theme().outline, 1.0));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(toRectF(m_geometry.plot).adjusted(-0.5, -0.5, 0.5, 0.5));
}

bool HeatmapView::ofBatch() const
{
    if (!controller())
        return m_batch;
    const RunPtr run = controller()->run();
    return run && run->info.batch.size() > 1;
}

void HeatmapView::paintHeaders(QPainter& painter) const
{
    const QFontMetricsF metrics(font());
    const GridNumbers numbers =
        gridNumbers(m_data->metric, m_high, numberWidth(m_geometry), metrics);
    const double line = metrics.height();
    const double margin = 6.0;
    painter.setPen(theme().text);

    for (std::size_t c = 0; c < m_data->components.size(); ++c) {
        const double left = m_geometry.column_edges[c];
        const double width = m_geometry.column_edges[c + 1] - left;
        const QString text = toQString(viz::shortName(m_data->components[c]));
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
    for (int row = 0; row < m_data->layers; row += m_geometry.row_label_step) {
        const double middle = m_geometry.cell(row, 0).centre().y;
        painter.drawText(QRectF(m_geometry.row_header.x, middle - line / 2.0,
                                m_geometry.row_header.width - margin, line),
                         Qt::AlignRight | Qt::AlignVCenter, QString::number(m_data->layerOf(row)));
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
            const double width = m_geometry.column_edges[c + 1] - left;
            painter.drawText(
                QRectF(left, means.top(), width, means.height()),
                Qt::AlignCenter | Qt::TextSingleLine,
                fittingNumber(numbers, m_data->columnMean(static_cast<int>(c)), width, metrics));
        }
    }
    if (m_geometry.row_means.empty())
        return;
    const double left = m_geometry.row_means.x;
    const double width = m_geometry.row_means.width;
    painter.drawText(QRectF(left, means.bottom() - line, width, line),
                     Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, tr("mean"));
    for (int row = 0; row < m_data->layers; row += m_geometry.row_label_step) {
        const double middle = m_geometry.cell(row, 0).centre().y;
        painter.drawText(QRectF(left, middle - line / 2.0, width, line),
                         Qt::AlignRight | Qt::AlignVCenter, numbers.text(m_data->rowMean(row)));
    }
}

void HeatmapView::paintLegend(QPainter& painter) const
{
    if (m_geometry.legend.empty())
        return;
    const auto unit =
        gridNumbers(m_data->metric, m_high, numberWidth(m_geometry), QFontMetricsF(font())).unit;
    ScaleLegend legend;
    legend.low = number(unit, m_low, false);
    if (!m_data->allMissing())
        legend.high = (m_exceeded ? QStringLiteral("≥ ") : QString()) + number(unit, m_high, true);
    legend.caption = tr("%1, %2 · %3")
                         .arg(term(viz::title(m_data->metric)), reductionText(*m_data, ofBatch()),
                              provenanceText(*m_data, powerSource()));
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
