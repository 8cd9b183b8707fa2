// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_axes.h"

#include <algorithm>
#include <cmath>

namespace ep::viz {

namespace {

// Up to this number of points, each has a tool tip.
constexpr std::size_t kMaxMarks = 3000;

std::vector<std::string> labelsOf(const LineChart& chart)
{
    std::vector<std::string> labels;
    for (const LineSeries& series : chart.series)
        labels.push_back(series.label);
    return labels;
}

// Keeps at most two points per pixel column: the lowest and the highest, in order.
std::vector<Point> thinned(std::vector<Point> points)
{
    std::vector<Point> kept;
    for (std::size_t at = 0; at < points.size();) {
        const double column = std::floor(points[at].x);
        std::size_t low = at;
        std::size_t high = at;
        std::size_t end = at;
        for (; end < points.size() && std::floor(points[end].x) == column; ++end) {
            if (points[end].y < points[low].y)
                low = end;
            if (points[end].y > points[high].y)
                high = end;
        }
        const auto [first, second] = std::minmax(low, high);
        kept.push_back(points[first]);
        if (second != first)
            kept.push_back(points[second]);
        at = end;
    }
    return kept;
}

void paintSeries(Scene& scene, const ChartAxes& axes, const LineSeries& series, std::size_t index)
{
    std::vector<Point> run;
    const auto flush = [&] {
        if (run.size() > 1 && series.joined) {
            const bool many = static_cast<double>(run.size()) > 2.0 * axes.plot().width;
            scene.items.push_back(
                ScenePath{many ? thinned(run) : run, {seriesInk(index)}, 1.75, dashOf(index)});
        }
        run.clear();
    };
    for (std::size_t i = 0; i < series.points.size(); ++i) {
        const Point& value = series.points[i];
        if (!std::isfinite(value.y) || !std::isfinite(value.x)) {
            flush();
            continue;
        }
        const Point at{axes.toX(value.x), axes.toY(value.y)};
        if (series.steps && !run.empty())
            run.push_back({at.x, run.back().y});
        run.push_back(at);
        if (series.markers) {
            scene.items.push_back(SceneMarker{at, 6.0, markerOf(index), {seriesInk(index)}});
        }
        if (series.points.size() > kMaxMarks)
            continue;
        const std::string link = i < series.links.size() ? series.links[i] : std::string();
        scene.marks.push_back({{at.x - 6.0, at.y - 6.0, 12.0, 12.0},
                               i < series.texts.size()
                                   ? series.texts[i]
                                   : (series.label.empty() ? std::string() : series.label + ": ")
                                       + shortNumber(value.y) + " at " + shortNumber(value.x),
                               link});
    }
    flush();
}

} // namespace

Scene layoutLines(const LineChart& chart)
{
    Scene scene = emptyScene(chart.frame);
    scene.table.columns = {"Series", chart.frame.x_title, chart.frame.y_title};
    ChartAxes::Range x;
    ChartAxes::Range y;
    std::size_t points = 0;
    for (const LineSeries& series : chart.series) {
        for (const Point& point : series.points) {
            if (!std::isfinite(point.x) || !std::isfinite(point.y))
                continue;
            x.add(point.x);
            y.add(point.y);
            ++points;
            scene.table.rows.push_back({series.label, shortNumber(point.x), shortNumber(point.y)});
        }
    }
    if (points == 0) {
        scene.empty = chart.frame.empty;
        return scene;
    }
    if (chart.y_from_zero) {
        y.add(0.0);
    }
    const auto labels = chart.series.size() > 1 ? labelsOf(chart) : std::vector<std::string>();
    const ChartAxes axes(chart.frame, x, y, legendHeight(labels, chart.frame.width));
    if (axes.tooSmall())
        return scene;
    paintLegend(scene, labels, kTitleHeight, true);
    axes.paint(scene, chart.x_labels);
    for (std::size_t i = 0; i < chart.series.size(); ++i)
        paintSeries(scene, axes, chart.series[i], i);
    scene.summary = {"%1: %2 series, %3 points, from %4 to %5.",
                     chart.frame.title,
                     chart.series.size(),
                     points,
                     shortNumber(y.low),
                     shortNumber(y.high)};
    return scene;
}

} // namespace ep::viz
