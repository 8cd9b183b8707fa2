// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_paint.h"

#include "ep/ui/charts/flame_view.h"
#include "ep/ui/terms.h"
#include "ep/viz/axis.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ep::ui {

void FlameView::paintContent(QPainter& painter)
{
    if (!hasContent()) {
        paintEmptyText(painter, m_emptyText);
        return;
    }
    const QFontMetricsF metrics(font());
    for (std::size_t row = 0; row < m_geometry.rows.size(); ++row) {
        const double y = m_geometry.top + static_cast<double>(row) * m_geometry.row_height;
        painter.setPen(theme().mutedText);
        painter.drawText(QRectF(8.0, y, m_plot.left() - 16.0, m_geometry.row_height),
                         Qt::AlignRight | Qt::AlignVCenter, term(viz::title(m_geometry.rows[row])));
    }
    const RunPtr run = controller() ? controller()->run() : nullptr;
    for (const viz::FlameBox& box : m_geometry.boxes) {
        QRectF rect = toRectF(box.rect).adjusted(0.0, 1.0, 0.0, -1.0);
        const QColor fill = colourOf(box);
        painter.fillRect(rect, fill);
        if (box.count > 1) // a line along the bottom marks several spans
            painter.fillRect(QRectF(rect.left(), rect.bottom() - 2.0, rect.width(), 2.0),
                             theme().mutedText);
        else if (rect.width() >= 3.0) // a separator before the next one
            painter.fillRect(QRectF(rect.right() - 1.0, rect.top(), 1.0, rect.height()),
                             theme().surface);
        if (box.label_fits) {
            painter.setPen(theme().textOn(fill));
            paintElided(painter, rect.adjusted(3.0, 0.0, -2.0, 0.0),
                        Qt::AlignLeft | Qt::AlignVCenter, labelOf(box));
        }
        if (!matches(box))
            paintVeil(painter, rect, theme());
    }
    const double below = m_geometry.top + m_geometry.height();
    if (const QString text = note();
        !text.isEmpty() && below + metrics.height() < m_plot.bottom()) {
        painter.setPen(theme().mutedText);
        painter.drawText(QRectF(m_plot.left(), below, m_plot.width(), m_plot.bottom() - below),
                         Qt::AlignCenter | Qt::TextWordWrap, text);
    }
    painter.setPen(QPen(theme().outline, 1.0));
    painter.drawLine(m_plot.bottomLeft(), m_plot.bottomRight());
    paintTimeTicks(painter, run ? run->trace.time.begin_ns : 0);
    paintScaleLegend(
        painter, QRectF(m_plot.left(), height() - legendHeight(), m_plot.width(), legendHeight()),
        theme(), legend());
}

viz::ScaleLegend FlameView::legend() const
{
    viz::ScaleLegend legend;
    const RunPtr run = controller() ? controller()->run() : nullptr;
    if (m_data.largestPowerMw() > 0.0) {
        const auto unit = viz::displayUnit("mW", m_data.largestPowerMw());
        legend.low = viz::formatIn(unit, 0.0, false);
        legend.high = viz::formatIn(unit, m_data.largestPowerMw());
        legend.provenance = run ? run->metrics.energy.provenance : Provenance::Missing;
        legend.caption =
            tr("Mean power of a span · phases have the colours of the other charts").toStdString();
    } else {
        legend.caption =
            tr("Grey: no energy is known · phases have the colours of the other charts")
                .toStdString();
    }
    return legend;
}

QString FlameView::legendText() const
{
    const viz::ScaleLegend shown = legend();
    return shown.high.empty()
        ? toQString(shown.caption)
        : tr("%1 – %2: %3")
              .arg(toQString(shown.low), toQString(shown.high), toQString(shown.caption));
}

double FlameView::legendHeight() const
{
    return scaleLegendHeight(QFontMetricsF(font()), width());
}

// A token's label is its text, which says more than its number.
QString FlameView::labelOf(const viz::FlameBox& box) const
{
    const viz::FlameSpan& span = m_data.spans(box.level)[box.first];
    const RunPtr run = controller() ? controller()->run() : nullptr;
    if (box.level == viz::FlameLevel::Token && run) {
        const auto token = std::ranges::find(run->trace.tokens, span.token, &TokenSpan::index);
        const QString text =
            token == run->trace.tokens.end() ? QString() : toQString(token->text).simplified();
        if (!text.isEmpty())
            return text;
    }
    return term(viz::title(box.level, span));
}

void FlameView::paintOverlay(QPainter& painter)
{
    TimeView::paintOverlay(painter);
    if (!m_cursor || !hasContent())
        return;
    const auto row = std::find(m_geometry.rows.begin(), m_geometry.rows.end(), m_cursor->level);
    if (row == m_geometry.rows.end())
        return;
    const TimeRange time = span(*m_cursor).time;
    if (intersection(time, visibleTime()).empty())
        return;
    const viz::TimeAxis axis = timeAxis();
    const double left = std::max(m_plot.left(), axis.toX(time.begin_ns));
    const double right = std::min(m_plot.right(), axis.toX(time.end_ns));
    const double y =
        m_geometry.top + static_cast<double>(row - m_geometry.rows.begin()) * m_geometry.row_height;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme().focus, 2.0));
    painter.drawRect(QRectF(left, y, std::max(3.0, right - left), m_geometry.row_height)
                         .adjusted(1.0, 1.0, -1.0, -1.0));
}

} // namespace ep::ui
