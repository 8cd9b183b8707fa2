// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_paint.h"
#include "heatmap_scene.h"

#include "ep/ui/charts/heatmap_view.h"
#include "ep/ui/charts/scene_view.h"

#include <QFontMetricsF>
#include <QPainter>

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
