// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/power_lanes.h"

#include <algorithm>
#include <cmath>

namespace ep::viz {

std::vector<TimeSeries::Samples> laneColumns(const TimeSeries& series, TimeRange visible,
                                             const Rect& plot, double devicePixel)
{
    if (plot.empty() || !(devicePixel > 0.0))
        return {};
    return series.columnSamples(visible,
                                static_cast<int>(std::ceil(plot.width / devicePixel - 1e-9)));
}

std::vector<LaneStroke> layoutLane(const TimeSeries& series,
                                   std::span<const TimeSeries::Samples> columns, const Rect& plot,
                                   double ceiling, double devicePixel, double thickness)
{
    std::vector<LaneStroke> strokes;
    if (!(ceiling > 0.0))
        return strokes;
    const auto snapped = [&](double y) { return std::round(y / devicePixel) * devicePixel; };
    const auto yOf = [&](double value) {
        return plot.bottom() - plot.height * std::clamp(value / ceiling, 0.0, 1.0);
    };
    strokes.reserve(columns.size());
    bool joined = false; // the previous column has a stroke
    double lastTop = 0.0; // top of that stroke without its joint
    double lastBottom = 0.0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const SeriesSummary summary = series.envelope(columns[i]);
        if (summary.empty()) {
            joined = false;
            continue;
        }
        const double top = snapped(yOf(summary.max) - thickness / 2.0);
        const double bottom =
            std::max(snapped(yOf(summary.min) + thickness / 2.0), top + devicePixel);
        LaneStroke stroke{plot.x + static_cast<double>(i) * devicePixel, top, bottom};
        if (joined) {
            stroke.top = std::min(stroke.top, std::max(lastBottom - devicePixel, lastTop));
            stroke.bottom = std::max(stroke.bottom, std::min(lastTop + devicePixel, lastBottom));
        }
        strokes.push_back(stroke);
        lastTop = top;
        lastBottom = bottom;
        joined = true;
    }
    return strokes;
}

} // namespace ep::viz
