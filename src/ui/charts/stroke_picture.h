// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/viz/power_lanes.h"

#include <QPen>
#include <QRectF>

#include <span>
#include <vector>

class QPainter;

namespace ep::ui {

// Many vertical strokes, one device pixel wide, written directly into a picture's pixels: much
// faster than QPainter for frames of thousands of strokes. For the screen only; exports draw
// shapes.
class StrokePicture {
public:
    // An empty picture; keeps its memory. area: logical pixels; ratio: device pixels in each.
    void clear(const QRectF& area, double ratio);

    // Strokes in the colour of the pen, with its dashes along x.
    struct Lane {
        std::vector<viz::LaneStroke> strokes; // in the order of x
        QPen pen;
    };
    // Later lanes are above earlier ones. Ends inside of a pixel are smoothed.
    void add(std::span<const Lane> lanes);
    void paint(QPainter& painter) const;

private:
    struct Ink;
    struct Filled;

    int columnOf(const viz::LaneStroke& stroke) const;
    void draw(const viz::LaneStroke& stroke, int column, unsigned colour, Filled& filled);

    double m_ratio = 1.0;
    double m_left = 0.0; // edge of the first column, in logical pixels
    double m_top = 0.0; // edge of the first row
    int m_columns = 0;
    int m_rows = 0;
    int m_stride = 0; // distance between rows in pixels
    std::vector<unsigned> m_pixels; // premultiplied ARGB
};

} // namespace ep::ui
