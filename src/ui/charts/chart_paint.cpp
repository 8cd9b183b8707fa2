// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_paint.h"

#include <QFontMetricsF>
#include <QLinearGradient>
#include <QPainter>

#include <algorithm>

namespace ep::ui {

void paintMissing(QPainter& painter, const QRectF& rect, const Theme& theme)
{
    painter.fillRect(rect, theme.surface);
    QColor lines = theme.missing;
    lines.setAlphaF(0.6F); // text lies on it
    painter.fillRect(rect, QBrush(lines, provenancePattern(Provenance::Missing)));
}

void paintProvenance(QPainter& painter, const QRectF& rect, Provenance provenance,
                     const QColor& fill, const Theme& theme)
{
    if (provenancePattern(provenance) == Qt::SolidPattern)
        return;
    QColor lines = theme.textOn(fill);
    lines.setAlphaF(0.35F);
    painter.fillRect(rect, QBrush(lines, provenancePattern(provenance)));
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

void paintScaleLegend(QPainter& painter, const QRectF& rect, const Theme& theme,
                      const ScaleLegend& legend)
{
    const QFontMetricsF metrics(painter.font());
    const double gap = metrics.averageCharWidth();
    const double lowWidth = metrics.horizontalAdvance(legend.low);
    const double highWidth = metrics.horizontalAdvance(legend.high);
    const double barWidth = std::clamp(rect.width() * 0.2, 40.0, 140.0);
    const double barHeight = std::min(12.0, rect.height());

    painter.save();
    painter.setPen(theme.text);
    double x = rect.left();
    const auto write = [&](const QString& text, double width) {
        painter.drawText(QRectF(x, rect.top(), width + 1.0, rect.height()),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text);
        x += width + gap;
    };
    write(legend.low, lowWidth);
    const QRectF bar(x, rect.center().y() - barHeight / 2.0, barWidth, barHeight);
    QLinearGradient gradient(bar.topLeft(), bar.topRight());
    for (int i = 0; i <= 16; ++i)
        gradient.setColorAt(i / 16.0, theme.scale(i / 16.0));
    painter.fillRect(bar, gradient);
    paintProvenance(painter, bar, legend.provenance, theme.scale(0.5), theme);
    painter.setPen(QPen(theme.outline, 1.0));
    painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
    painter.setPen(theme.text);
    x = bar.right() + gap;
    write(legend.high, highWidth);
    if (legend.hasMissing) {
        x += gap;
        const QRectF swatch(x, bar.top(), barHeight * 1.5, barHeight);
        paintMissing(painter, swatch, theme);
        painter.setPen(QPen(theme.outline, 1.0));
        painter.drawRect(swatch.adjusted(0.5, 0.5, -0.5, -0.5));
        painter.setPen(theme.text);
        x = swatch.right() + gap;
        const QString missing = provenanceLabel(Provenance::Missing);
        write(missing, metrics.horizontalAdvance(missing));
    }
    x += gap;
    painter.setPen(theme.mutedText);
    if (x < rect.right())
        paintElided(painter, QRectF(x, rect.top(), rect.right() - x, rect.height()),
                    Qt::AlignLeft | Qt::AlignVCenter, legend.caption);
    painter.restore();
}

} // namespace ep::ui
