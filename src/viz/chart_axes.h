// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/viz/charts.h"

#include <limits>

namespace ep::viz {

// Maps the values of a chart to positions and creates the shapes of its axes.
class ChartAxes {
public:
    struct Range {
        double low = std::numeric_limits<double>::infinity();
        double high = -std::numeric_limits<double>::infinity();
        bool log = false;
        bool whole = false; // ticks at whole numbers only

        void add(double value);
        bool empty() const { return !(low <= high); }
    };

    // Lays out the plot for the ranges of the values, which are extended to round numbers (y) or
    // by a margin (x).
    ChartAxes(const ChartFrame& frame, Range x, Range y, double legendHeight);

    const Rect& plot() const { return m_plot; }
    double toX(double value) const;
    double toY(double value) const;
    bool tooSmall() const { return m_plot.width < 60.0 || m_plot.height < 40.0; }

    // Paints grid, tick labels and titles. xLabels, if any, replace the numbers; an x axis of
    // categories has no ticks.
    void paint(Scene& scene, const std::vector<std::pair<double, std::string>>& xLabels = {},
               bool xTicks = true) const;

private:
    struct AxisTick {
        double value = 0.0;
        std::string label;
    };
    static std::vector<AxisTick> powerTicks(const Range& range, int most);
    static std::vector<AxisTick> ticksOf(const Range& range, int most);

    ChartFrame m_frame;
    Range m_x;
    Range m_y;
    Rect m_plot;
    std::vector<AxisTick> m_yTicks;
};

Scene emptyScene(const ChartFrame& frame);

// The height of the legend: rows of marker, line and label at the top.
double legendHeight(const std::vector<std::string>& labels, double width);
void paintLegend(Scene& scene, const std::vector<std::string>& labels, double top, bool lines);

// Adds a framed bar of `colours` colours; paintAt: the paint at a fraction of its width.
void addColourBar(Scene& scene, const Rect& area, int colours, Paint (*paintAt)(double fraction));

MarkerShape markerOf(std::size_t series);
Dash dashOf(std::size_t series);

std::string shortNumber(double value, int digits = 3); // significant digits; prefixes k to G
std::string signedNumber(double value);

inline constexpr double kTitleHeight = 26.0;
inline constexpr double kLine = 16.0;
inline constexpr double kMargin = 10.0;

} // namespace ep::viz
