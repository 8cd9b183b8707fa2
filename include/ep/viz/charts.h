// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/viz/scene.h"

#include <optional>
#include <string>
#include <vector>

// Charts for comparisons, as pure functions from data to shapes. Sizes are in logical pixels; a
// chart of less than about 160 x 100 pixels has no items.
namespace ep::viz {

struct ChartFrame {
    double width = 640.0;
    double height = 320.0;
    std::string title; // also used as the heading
    std::string x_title; // with the unit of the values
    std::string y_title;
    std::string empty; // shown if there is no data
    std::string note; // a line below the chart: provenance, meaning of the interval
    bool counts = false; // x are numbers of something, so that its ticks are whole
};

// Lines over a numeric axis. Up to 4 series; NaN breaks a line.
struct LineSeries {
    std::string label;
    std::vector<Point> points; // x ascending
    std::vector<std::string> links{}; // run id of each point; empty: points are not runs
    std::vector<std::string> texts{}; // tooltip of each point; empty: its values
    bool markers = false;
    bool joined = true; // connects the points by lines
    bool steps = false; // holds each value until the next x
};
struct LineChart {
    ChartFrame frame;
    std::vector<LineSeries> series;
    std::vector<std::pair<double, std::string>> x_labels{}; // shown instead of numbers: dates
};
Scene layoutLines(const LineChart& chart);

// Values of groups side by side: every value as a dot, a box of the quartiles with the median, and
// the mean with its interval. Beyond `kManyValues`, dots are thinned out.
struct DistributionGroup {
    std::string label;
    std::vector<double> values;
    std::optional<double> mean{};
    std::optional<std::pair<double, double>> interval{};
};
inline constexpr std::size_t kManyValues = 400;
struct DistributionChart {
    ChartFrame frame;
    std::vector<DistributionGroup> groups;
};
Scene layoutDistributions(const DistributionChart& chart);

// Signed values in rows and columns, with a neutral zero. Absent values are hatched.
struct DifferenceGrid {
    ChartFrame frame;
    std::vector<std::string> rows;
    std::vector<std::string> columns;
    std::vector<std::optional<double>> values; // row-major
    std::string unit; // "mJ"
};
Scene layoutDifferences(const DifferenceGrid& grid);

// Horizontal bars from zero, in the given order.
struct Bar {
    std::string label;
    std::optional<double> value;
    std::optional<std::pair<double, double>> interval{};
    std::string text; // shown next to the bar
    std::string link{};
    std::size_t series = 0;
};
struct BarChart {
    ChartFrame frame;
    std::vector<Bar> bars;
};
Scene layoutBars(const BarChart& chart); // as high as the bars require, regardless of frame.height

// Points for runs, a fitted curve with its band, and a front through some of the points.
struct ScatterPoint {
    double x = 0.0;
    double y = 0.0;
    std::string text; // tool tip
    std::string link{};
    std::size_t series = 0;
    bool marked = false; // circled, since it is on the front
};
struct ScatterChart {
    ChartFrame frame;
    std::vector<ScatterPoint> points;
    std::vector<std::string> series{}; // names in the legend
    std::vector<Point> curve{};
    std::vector<Point> band_low{}; // has the same x as band_high
    std::vector<Point> band_high{};
    std::vector<Point> front{};
    std::vector<double> guides{}; // y of horizontal dotted lines
    std::vector<double> reached{}; // the y axis must include these values, too
    std::optional<std::pair<Point, std::string>> knee{};
    bool log_x = false; // omits values that are not positive
    bool log_y = false;
};
Scene layoutScatter(const ScatterChart& chart);

// An estimate after each of several steps, with its interval: shows how it becomes certain. The
// last interval determines the scale; early ones are wide and are cut off.
struct CourseStep {
    double x = 0.0;
    double y = 0.0;
    std::string text; // tool tip; the summary includes the last step's text
    std::optional<std::pair<double, double>> interval{};
};
struct CourseChart {
    ChartFrame frame;
    std::vector<CourseStep> steps;
    std::vector<double> guides{}; // y of horizontal dotted lines
};
Scene layoutCourse(const CourseChart& chart);

} // namespace ep::viz
