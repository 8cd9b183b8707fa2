// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/viz/geometry.h"
#include "ep/viz/time_series.h"

#include <span>
#include <vector>

namespace ep::viz {

// A power series as vertical strokes, one for each device pixel column that the line crosses: each
// extends from the smallest to the largest value there and to the previous stroke, so that the
// strokes form one line. Pixels are logical; y points downwards.
struct LaneStroke {
    double x = 0.0; // left edge of the column
    double top = 0.0;
    double bottom = 0.0; // at least one device pixel below top

    bool operator==(const LaneStroke&) const = default;
};

// The samples of each device pixel column of the plot, computed once for all series with the same
// windows. `devicePixel`: size of a device pixel in logical pixels.
std::vector<TimeSeries::Samples> laneColumns(const TimeSeries& series, TimeRange visible,
                                             const Rect& plot, double devicePixel);

// `plot`: the area that shows the visible time (across) and 0 to `ceiling` (upwards). `thickness`:
// minimum height of a stroke in logical pixels. Gaps break the line: a stroke joins the previous
// one only if the columns touch.
std::vector<LaneStroke> layoutLane(const TimeSeries& series,
                                   std::span<const TimeSeries::Samples> columns, const Rect& plot,
                                   double ceiling, double devicePixel, double thickness);

// Lays out a line through a few samples: its height in each column, not rounded to pixels. The
// points are in order of time; points outside of the plot cost nothing.
std::vector<LaneStroke> layoutLine(std::span<const TimeSeries::LinePoint> points, TimeRange visible,
                                   const Rect& plot, double ceiling, double devicePixel,
                                   double thickness);

} // namespace ep::viz
