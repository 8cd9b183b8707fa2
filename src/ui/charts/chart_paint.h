// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/theme.h"
#include "ep/ui/to_qstring.h"
#include "ep/viz/axis.h"
#include "ep/viz/geometry.h"
#include "ep/viz/scale_legend.h"
#include "ep/viz/waterfall.h"

#include <QBrush>
#include <QFontMetricsF>
#include <QRectF>
#include <QString>

#include <vector>

class QPainter;

// Painting functions shared by the charts. The painter's font is the chart's font.
namespace ep::ui {

inline QRectF toRectF(const viz::Rect& rect)
{
    return {rect.x, rect.y, rect.width, rect.height};
}
inline viz::Rect toRect(const QRectF& rect)
{
    return {rect.x(), rect.y(), rect.width(), rect.height()};
}
inline viz::Point toPoint(const QPointF& point)
{
    return {point.x(), point.y()};
}

// Dims items that do not match the search.
void paintVeil(QPainter& painter, const QRectF& rect, const Theme& theme);
// The lines that show how a value was obtained, drawn over `fill`; missing values ignore it.
QBrush hatching(Provenance provenance, const QColor& missing, const QColor& fill);
// Hatching for missing values, on the surface colour.
void paintMissing(QPainter& painter, const QRectF& rect, const Theme& theme);

// Overlay that shows a filled shape's provenance: nothing unless modelled.
void paintProvenance(QPainter& painter, const QRectF& rect, Provenance provenance,
                     const QColor& fill, const Theme& theme);

void paintFocusRing(QPainter& painter, const QRectF& rect, const Theme& theme);

// The selected part of a time axis: fades the rest and draws grips at its ends. `zooming`: the
// range that a drag will zoom to.
void paintTimeBrush(QPainter& painter, const QRectF& plot, const viz::TimeAxis& axis,
                    TimeRange range, bool zooming, const Theme& theme);

// The ticks of a time axis, from `top` downwards; labels that would cross the edges of their row
// are moved inside.
void paintTimeTicks(QPainter& painter, const QRectF& labels, double top,
                    const std::vector<viz::Tick>& ticks, const Theme& theme);

// Text, wrapped, in the middle of the rectangle.
void paintEmpty(QPainter& painter, const QRectF& rect, const Theme& theme, const QString& text);

// viz::addNotice() with the painter's font.
void paintNotice(QPainter& painter, const QRectF& rect, const Theme& theme, const QString& text);

// One line, elided if it does not fit.
void paintElided(QPainter& painter, const QRectF& rect, int flags, const QString& text);

viz::SceneFont sceneFontOf(const QFontMetricsF& metrics);

inline viz::WaterfallStyle waterfallStyle(const QFontMetricsF& metrics)
{
    return {.char_width = metrics.averageCharWidth(), .line_height = metrics.height() + 4.0};
}

// viz::scaleLegendHeight() and viz::addScaleLegend() with this font.
double scaleLegendHeight(const QFontMetricsF& metrics, double width);
void paintScaleLegend(QPainter& painter, const QRectF& rect, const Theme& theme,
                      const viz::ScaleLegend& legend);

} // namespace ep::ui
