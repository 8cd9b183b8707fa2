// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_paint.h"

#include "ep/ui/charts/pipeline_view.h"
#include "ep/ui/terms.h"
#include "ep/viz/axis.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ep::ui {

namespace {

constexpr double kToggleWidth = 18.0;
constexpr double kTextGap = 8.0;

} // namespace

void PipelineView::paintContent(QPainter& painter)
{
    if (m_geometry.rows.empty()) {
        paintEmptyText(painter, m_emptyText);
        return;
    }
    paintStrip(painter);
    for (const viz::PipelineRow& row : m_geometry.rows)
        paintRow(painter, row);
}

void PipelineView::paintStrip(QPainter& painter) const
{
    const QRectF strip = toRectF(m_geometry.strip_rect);
    if (m_geometry.metric_missing) {
        paintMissing(painter, strip, theme());
        const QString text =
            tr("%1: — (%2)").arg(term(viz::title(m_metric)), provenanceLabel(Provenance::Missing));
        paintNotice(painter, strip, theme(), text);
        return;
    }
    painter.fillRect(strip, theme().grid);
    for (const viz::PipelineSegment& segment : m_geometry.strip) {
        const QRectF rect = toRectF(segment.rect);
        const QColor fill = theme().phase(segment.phase);
        painter.fillRect(rect, fill);
        if (segment.label_fits) {
            painter.setPen(theme().textOn(fill));
            painter.drawText(rect, Qt::AlignCenter, term(viz::title(segment.phase)));
        }
    }
    if (m_geometry.axis_rect.empty())
        return;

    const QRectF axisRect = toRectF(m_geometry.axis_rect);
    const TimeRange time = m_run->trace.time;
    const viz::TimeAxis axis(time, axisRect.left(), axisRect.width());
    const QFontMetricsF metrics(font());
    for (const viz::Tick& tick : viz::timeTicks(axis, time.begin_ns, 90.0)) {
        const double x = std::floor(tick.position) + 0.5;
        painter.setPen(QPen(theme().outline, 1.0));
        painter.drawLine(QPointF(x, axisRect.top()), QPointF(x, axisRect.top() + 4.0));
        painter.setPen(theme().mutedText);
        const QString text = toQString(tick.label);
        const double width = metrics.horizontalAdvance(text) + 2.0;
        const double left = std::clamp(x - width / 2.0, axisRect.left(), axisRect.right() - width);
        painter.drawText(QRectF(left, axisRect.top() + 4.0, width, axisRect.height() - 4.0),
                         Qt::AlignCenter | Qt::TextSingleLine, text);
    }
}

void PipelineView::paintRow(QPainter& painter, const viz::PipelineRow& row) const
{
    const bool isPhase = row.kind == viz::PipelineRow::Kind::PhaseRow;
    const QRectF track = toRectF(row.track);
    const QRectF bar = toRectF(row.bar);

    QRectF label = toRectF(row.label);
    if (row.expandable) {
        const QPointF c(label.left() + kToggleWidth / 2.0, label.center().y());
        QPolygonF arrow;
        if (row.expanded)
            arrow << c + QPointF(-4.0, -2.0) << c + QPointF(4.0, -2.0) << c + QPointF(0.0, 3.0);
        else
            arrow << c + QPointF(-2.0, -4.0) << c + QPointF(3.0, 0.0) << c + QPointF(-2.0, 4.0);
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme().mutedText);
        painter.drawPolygon(arrow);
        painter.restore();
    }
    label.setLeft(label.left() + kToggleWidth * (isPhase || row.phase == Phase::Idle ? 1.0 : 1.8));
    label.setRight(label.right() - kTextGap);
    painter.setPen(isPhase ? theme().text : theme().mutedText);
    paintElided(painter, label, Qt::AlignLeft | Qt::AlignVCenter, toQString(row.title));

    if (row.missing()) {
        paintMissing(painter, track, theme());
    } else {
        painter.fillRect(track, theme().grid);
        if (row.kind == viz::PipelineRow::Kind::Remainder) {
            painter.fillRect(bar, theme().outline);
        } else {
            painter.fillRect(bar, theme().phase(row.phase));
        }
    }

    QRectF text = toRectF(row.text);
    text.setLeft(text.left() + kTextGap);
    const double shareWidth = QFontMetricsF(font()).horizontalAdvance(QStringLiteral("100.0 %"));
    painter.setPen(theme().text);
    painter.drawText(QRectF(text.left(), text.top(), shareWidth, text.height()),
                     Qt::AlignRight | Qt::AlignVCenter, toQString(row.share_text));
    painter.setPen(theme().mutedText);
    const QRectF value(text.left() + shareWidth + kTextGap, text.top(),
                       text.width() - shareWidth - kTextGap, text.height());
    paintElided(painter, value, Qt::AlignRight | Qt::AlignVCenter,
                row.missing() ? provenanceLabel(Provenance::Missing) : toQString(row.value_text));
}

void PipelineView::paintWindow(QPainter& painter) const
{
    const QRectF strip = toRectF(m_geometry.strip_rect);
    const viz::TimeAxis axis = stripAxis();
    const auto area = [&](const TimeRange& range) {
        const double left = std::clamp(axis.toX(range.begin_ns), strip.left(), strip.right());
        const double right = std::clamp(axis.toX(range.end_ns), strip.left(), strip.right());
        return QRectF(left, strip.top(), std::max(1.0, right - left), strip.height());
    };
    const auto& chosen = controller()->selection().time;
    if (chosen) {
        QColor veil = theme().surface;
        veil.setAlphaF(0.6F);
        const QRectF inside = area(*chosen);
        painter.fillRect(QRectF(strip.topLeft(), inside.bottomLeft()), veil);
        painter.fillRect(QRectF(inside.topRight(), strip.bottomRight()), veil);
    }
    painter.setBrush(Qt::NoBrush);
    if (!controller()->visible().contains(m_run->trace.time)) {
        painter.setPen(QPen(theme().text, 2.0));
        painter.drawRect(area(controller()->visible()).adjusted(1.0, 1.0, -1.0, -1.0));
    }
    if (chosen) {
        painter.setPen(QPen(theme().focus, 2.0));
        const QRectF inside = area(*chosen);
        painter.drawLine(inside.topLeft(), inside.bottomLeft());
        painter.drawLine(inside.topRight(), inside.bottomRight());
    }
    const auto cursor = controller()->cursor();
    if (cursor && m_run->trace.time.contains(*cursor)) {
        const double x = std::floor(axis.toX(*cursor)) + 0.5;
        painter.setPen(QPen(theme().text, 1.0));
        painter.drawLine(QPointF(x, strip.top()), QPointF(x, strip.bottom()));
    }
}

void PipelineView::paintOverlay(QPainter& painter)
{
    const auto mark = [&](std::size_t row, const QColor& colour, double width) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colour, width));
        painter.drawRect(toRectF(m_geometry.rows[row].row).adjusted(0.5, 0.5, -0.5, -0.5));
    };
    if (controller() && m_run && !m_geometry.axis_rect.empty())
        paintWindow(painter);
    if (controller() && controller()->selection().phase) {
        for (const viz::PipelineRow& row : m_geometry.rows) {
            if (row.phase == controller()->selection().phase)
                painter.fillRect(QRectF(row.row.x, row.row.y + 2.0, 3.0, row.row.height - 4.0),
                                 theme().focus);
        }
    }
    if (m_hover)
        mark(*m_hover, theme().outline, 1.0);
    if (m_cursor && hasFocus())
        mark(*m_cursor, theme().focus, 2.0);
    PaintedView::paintOverlay(painter);
}

} // namespace ep::ui
