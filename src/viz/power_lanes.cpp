// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/power_lanes.h"

#include "ep/viz/axis.h"

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
    constexpr std::size_t kColumnsAhead = 4;
    strokes.reserve(columns.size());
    bool joined = false; // whether the previous column has a stroke
    double lastTop = 0.0; // top of that stroke without its joint
    double lastBottom = 0.0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (i + kColumnsAhead < columns.size())
            series.prefetch(columns[i + kColumnsAhead]);
        const SeriesExtremes summary = series.envelope(columns[i]);
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

std::vector<LaneStroke> layoutLine(std::span<const TimeSeries::LinePoint> points, TimeRange visible,
                                   const Rect& plot, double ceiling, double devicePixel,
                                   double thickness)
{
    std::vector<LaneStroke> strokes;
    if (!(ceiling > 0.0) || plot.empty() || !(devicePixel > 0.0) || visible.empty())
        return strokes;
    const TimeAxis axis(visible, plot.x, plot.width);
    const auto yOf = [&](double value) {
        return plot.bottom() - plot.height * std::clamp(value / ceiling, 0.0, 1.0);
    };
    const auto lastColumn = std::ceil(plot.width / devicePixel - 1e-9) - 1.0;
    const auto columnOf = [&](double x) { return std::floor((x - plot.x) / devicePixel); };
    for (std::size_t i = 1; i < points.size(); ++i) {
        const Point from{axis.toX(points[i - 1].time), yOf(points[i - 1].value)};
        const Point to{axis.toX(points[i].time), yOf(points[i].value)};
        if (to.x < from.x)
            continue;
        // An upright segment lies within one column.
        const double slope = to.x > from.x ? (to.y - from.y) / (to.x - from.x) : 0.0;
        // A steep line is as thick as a flat one, but does not extend beyond its ends.
        const double reach = thickness / 2.0 * std::hypot(1.0, slope);
        const double highest = std::min(from.y, to.y) - thickness / 2.0;
        const double lowest = std::max(from.y, to.y) + thickness / 2.0;
        const double last = std::min(columnOf(to.x), lastColumn);
        for (double column = std::max(0.0, columnOf(from.x)); column <= last; column += 1.0) {
            const double left = plot.x + column * devicePixel;
            const double begin = from.y + slope * (std::max(left, from.x) - from.x);
            const double end = to.x > from.x
                ? from.y + slope * (std::min(left + devicePixel, to.x) - from.x)
                : to.y;
            const LaneStroke stroke{left, std::max(highest, std::min(begin, end) - reach),
                                    std::min(lowest, std::max(begin, end) + reach)};
            if (!strokes.empty() && strokes.back().x == left) {
                strokes.back().top = std::min(strokes.back().top, stroke.top);
                strokes.back().bottom = std::max(strokes.back().bottom, stroke.bottom);
            } else {
                strokes.push_back(stroke);
            }
        }
    }
    return strokes;
}

} // namespace ep::viz
