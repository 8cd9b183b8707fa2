// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/theme.h"
#include "ep/ui/to_qstring.h"
#include "ep/viz/geometry.h"

#include <QRectF>
#include <QString>

class QFontMetricsF;
class QPainter;

// Painting that the charts share. The painter's font is the chart's font.
namespace ep::ui {

inline QRectF toRectF(const viz::Rect& rect)
{
    return {rect.x, rect.y, rect.width, rect.height};
}
inline viz::Point toPoint(const QPointF& point)
{
    return {point.x(), point.y()};
}

// Dims what the search does not match.
void paintVeil(QPainter& painter, const QRectF& rect, const Theme& theme);
// Hatch for values that are missing, on the surface colour.
void paintMissing(QPainter& painter, const QRectF& rect, const Theme& theme);

// Overlay that marks a filled shape by provenance: nothing unless modelled.
void paintProvenance(QPainter& painter, const QRectF& rect, Provenance provenance,
                     const QColor& fill, const Theme& theme);

void paintFocusRing(QPainter& painter, const QRectF& rect, const Theme& theme);

// Wrapped in the middle of the rectangle.
void paintEmpty(QPainter& painter, const QRectF& rect, const Theme& theme, const QString& text);

// Text on a box of surface colour in the middle of the rectangle, readable on any hatch.
void paintNotice(QPainter& painter, const QRectF& rect, const Theme& theme, const QString& text);

// One line, cut with an ellipsis when it does not fit.
void paintElided(QPainter& painter, const QRectF& rect, int flags, const QString& text);

struct ScaleLegend {
    QString low; // at the left end of the colours
    QString high; // empty: nothing has a colour, no bar
    QString caption; // what the colours mean, with provenance in words
    Provenance provenance = Provenance::Measured;
    bool hasMissing = false;
};

// Height that a legend needs: one line, or two where the caption would not fit beside the bar.
double scaleLegendHeight(const QFontMetricsF& metrics, double width);

// A bar of the sequential map with its ends named, and the caption beside or below it.
void paintScaleLegend(QPainter& painter, const QRectF& rect, const Theme& theme,
                      const ScaleLegend& legend);

} // namespace ep::ui
