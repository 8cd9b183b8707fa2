// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/viz/geometry.h"
#include "ep/viz/time_series.h"

#include <span>
#include <vector>

namespace ep::viz {

// A series of power as vertical strokes, one for each device pixel column that holds a sample: it
// reaches from the smallest to the largest value there, and to the stroke before it, so that the
// strokes are one line. Pixels are logical; y is downwards.
struct LaneStroke {
    double x = 0.0; // left edge of the column
    double top = 0.0;
    double bottom = 0.0; // at least one device pixel below top

    bool operator==(const LaneStroke&) const = default;
};

// The samples of each device pixel column of the plot, found once for all series with the same
// windows. `devicePixel`: logical pixels of one.
std::vector<TimeSeries::Samples> laneColumns(const TimeSeries& series, TimeRange visible,
                                             const Rect& plot, double devicePixel);

// `plot`: where the visible time x 0..ceiling lies. `thickness`: least height of a stroke in
// logical pixels. Gaps break the line: a stroke joins the one before only if the columns touch.
std::vector<LaneStroke> layoutLane(const TimeSeries& series,
                                   std::span<const TimeSeries::Samples> columns, const Rect& plot,
                                   double ceiling, double devicePixel, double thickness);

} // namespace ep::viz
