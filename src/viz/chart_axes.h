// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/viz/charts.h"

#include <limits>

namespace ep::viz {

// Where a chart's values go, and the shapes of its axes.
class ChartAxes {
public:
    struct Range {
        double low = std::numeric_limits<double>::infinity();
        double high = -std::numeric_limits<double>::infinity();
        bool log = false;

        void add(double value);
        bool empty() const { return !(low <= high); }
    };

    // Lays out the plot for ranges that hold the values; they are widened to round numbers (y) or
    // by a margin (x).
    ChartAxes(const ChartFrame& frame, Range x, Range y, double legendHeight);

    const Rect& plot() const { return m_plot; }
    double toX(double value) const;
    double toY(double value) const;
    bool tooSmall() const { return m_plot.width < 60.0 || m_plot.height < 40.0; }

    // Grid, tick labels, titles. xLabels in place of numbers where there are any; an x axis without
    // ticks for categories.
    void paint(Scene& scene, const std::vector<std::pair<double, std::string>>& xLabels = {},
               bool xTicks = true) const;

private:
    struct AxisTick {
        double value = 0.0;
        std::string label;
    };
    static std::vector<AxisTick> ticksOf(const Range& range, int most);

    ChartFrame m_frame;
    Range m_x;
    Range m_y;
    Rect m_plot;
    std::vector<AxisTick> m_yTicks;
};

Scene emptyScene(const ChartFrame& frame);

// Rows of marker, line and label at the top; the height that layoutLegend() needs.
double legendHeight(const std::vector<std::string>& labels, double width);
void paintLegend(Scene& scene, const std::vector<std::string>& labels, double top, bool lines);

MarkerShape markerOf(std::size_t series);
Dash dashOf(std::size_t series);

std::string shortNumber(double value); // 3 significant digits, SI prefixes from n to G
std::string signedNumber(double value);

inline constexpr double kTitleHeight = 26.0;
inline constexpr double kLine = 16.0;
inline constexpr double kMargin = 10.0;

} // namespace ep::viz
