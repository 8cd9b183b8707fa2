// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_paint.h"

#include "ep/ui/charts/scene_view.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ep::ui {

void paintVeil(QPainter& painter, const QRectF& rect, const Theme& theme)
{
    QColor veil = theme.surface;
    veil.setAlphaF(0.75F);
    painter.fillRect(rect, veil);
}

QBrush hatching(Provenance provenance, const QColor& missing, const QColor& fill)
{
    // Faint, because texts and the colours below must stay readable.
    const bool isMissing = provenance == Provenance::Missing;
    QColor lines = isMissing ? missing : toColour(viz::textColourOn(toRgb(fill)));
    lines.setAlphaF(isMissing ? 0.6F : 0.35F);
    return {lines, provenancePattern(provenance)};
}

void paintMissing(QPainter& painter, const QRectF& rect, const Theme& theme)
{
    painter.fillRect(rect, theme.surface);
    painter.fillRect(rect, hatching(Provenance::Missing, theme.missing, theme.surface));
}

void paintProvenance(QPainter& painter, const QRectF& rect, Provenance provenance,
                     const QColor& fill, const Theme& theme)
{
    if (provenancePattern(provenance) != Qt::SolidPattern)
        painter.fillRect(rect, hatching(provenance, theme.missing, fill));
}

void paintFocusRing(QPainter& painter, const QRectF& rect, const Theme& theme)
{
    painter.save();
    painter.setBrush(Qt::NoBrush);
    QPen pen(theme.focus, 2.0);
    pen.setJoinStyle(Qt::MiterJoin);
    painter.setPen(pen);
    painter.drawRect(rect.adjusted(1.0, 1.0, -1.0, -1.0));
    painter.restore();
}

void paintTimeBrush(QPainter& painter, const QRectF& plot, const viz::TimeAxis& axis,
                    TimeRange range, bool zooming, const Theme& theme)
{
    const double left = std::clamp(axis.toX(range.begin_ns), plot.left(), plot.right());
    const double right = std::clamp(axis.toX(range.end_ns), plot.left(), plot.right());
    // Fades the area outside; visible ends can be dragged.
    QColor veil = theme.surface;
    veil.setAlphaF(0.6F);
    painter.fillRect(QRectF(plot.left(), plot.top(), left - plot.left(), plot.height()), veil);
    painter.fillRect(QRectF(right, plot.top(), plot.right() - right, plot.height()), veil);
    const auto end = [&](double x, bool inView) {
        if (!inView)
            return;
        painter.setPen(
            QPen(theme.focus, zooming ? 1.0 : 2.0, zooming ? Qt::DashLine : Qt::SolidLine));
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        if (!zooming)
            painter.fillRect(QRectF(x - 3.0, plot.center().y() - 8.0, 6.0, 16.0), theme.focus);
    };
    const TimeRange visible = axis.visible();
    end(left, visible.contains(range.begin_ns));
    end(right, range.end_ns > visible.begin_ns && range.end_ns <= visible.end_ns);
}

void paintTimeTicks(QPainter& painter, const QRectF& labels, double top,
                    const std::vector<viz::Tick>& ticks, const Theme& theme)
{
    const QFontMetricsF metrics(painter.font());
    for (const viz::Tick& tick : ticks) {
        const double x = std::floor(tick.position) + 0.5;
        painter.setPen(QPen(theme.outline, 1.0));
        painter.drawLine(QPointF(x, top), QPointF(x, top + 4.0));
        painter.setPen(theme.mutedText);
        const QString text = toQString(tick.label);
        const double width = metrics.horizontalAdvance(text) + 2.0;
        const double left = std::clamp(x - width / 2.0, labels.left(),
                                       std::max(labels.left(), labels.right() - width));
        painter.drawText(QRectF(left, labels.top(), width, labels.height()),
                         Qt::AlignCenter | Qt::TextSingleLine, text);
    }
}

void paintEmpty(QPainter& painter, const QRectF& rect, const Theme& theme, const QString& text)
{
    painter.save();
    painter.setPen(theme.mutedText);
    const QRectF inside = rect.adjusted(16.0, 8.0, -16.0, -8.0);
    painter.drawText(inside, Qt::AlignCenter | Qt::TextWordWrap, text);
    painter.restore();
}

void paintElided(QPainter& painter, const QRectF& rect, int flags, const QString& text)
{
    const QFontMetricsF metrics(painter.font());
    painter.drawText(rect, flags | Qt::TextSingleLine,
                     metrics.elidedText(text, Qt::ElideRight, rect.width()));
}

viz::SceneFont sceneFontOf(const QFontMetricsF& metrics)
{
    return {metrics.averageCharWidth(), metrics.height(), [metrics](std::string_view text) {
                return metrics.horizontalAdvance(toQString(text));
            }};
}

double scaleLegendHeight(const QFontMetricsF& metrics, double width)
{
    return viz::scaleLegendHeight(sceneFontOf(metrics), width);
}

void paintNotice(QPainter& painter, const QRectF& rect, const Theme& theme, const QString& text)
{
    viz::Scene scene;
    viz::addNotice(scene, toRect(rect), text.toStdString(),
                   sceneFontOf(QFontMetricsF(painter.font())));
    paintItems(painter, scene, theme.scenePalette());
}

void paintScaleLegend(QPainter& painter, const QRectF& rect, const Theme& theme,
                      const viz::ScaleLegend& legend)
{
    viz::Scene scene;
    viz::addScaleLegend(scene, toRect(rect), legend, sceneFontOf(QFontMetricsF(painter.font())));
    paintItems(painter, scene, theme.scenePalette());
}

} // namespace ep::ui
