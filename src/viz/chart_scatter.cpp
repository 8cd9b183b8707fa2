// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_axes.h"

#include <algorithm>
#include <cmath>

namespace ep::viz {

namespace {

bool shown(const ScatterChart& chart, double x, double y)
{
    return std::isfinite(x) && std::isfinite(y) && (!chart.log_x || x > 0.0)
        && (!chart.log_y || y > 0.0);
}

std::vector<Point> placed(const ScatterChart& chart, const ChartAxes& axes,
                          const std::vector<Point>& values)
{
    std::vector<Point> points;
    for (const Point& value : values) {
        if (!shown(chart, value.x, value.y))
            continue;
        const Point at{axes.toX(value.x), axes.toY(value.y)};
        points.push_back({at.x, std::clamp(at.y, axes.plot().y, axes.plot().bottom())});
    }
    return points;
}

void paintFit(Scene& scene, const ScatterChart& chart, const ChartAxes& axes)
{
    for (const double guide : chart.guides) {
        const double y = axes.toY(guide);
        scene.items.push_back(ScenePath{
            {{axes.plot().x, y}, {axes.plot().right(), y}}, {Ink::Muted}, 1.25, Dash::Dotted});
    }
    std::vector<Point> band = placed(chart, axes, chart.band_high);
    const std::vector<Point> low = placed(chart, axes, chart.band_low);
    band.insert(band.end(), low.rbegin(), low.rend());
    if (band.size() > 2)
        scene.items.push_back(ScenePath{band, {Ink::Muted, 0.18}, 0.0, Dash::Solid, true});
    const auto curve = placed(chart, axes, chart.curve);
    if (curve.size() > 1)
        scene.items.push_back(ScenePath{curve, {Ink::Text}, 1.75, Dash::Dashed});
    const auto front = placed(chart, axes, chart.front);
    if (front.size() > 1)
        scene.items.push_back(ScenePath{front, {Ink::Text, 0.7}, 1.5});
}

} // namespace

Scene layoutScatter(const ScatterChart& chart)
{
    Scene scene = emptyScene(chart.frame);
    scene.table.columns = {"", chart.frame.x_title, chart.frame.y_title};
    ChartAxes::Range x{.log = chart.log_x};
    ChartAxes::Range y{.log = chart.log_y};
    std::size_t points = 0;
    for (const ScatterPoint& point : chart.points) {
        if (!shown(chart, point.x, point.y))
            continue;
        x.add(point.x);
        y.add(point.y);
        ++points;
        scene.table.rows.push_back({point.text, shortNumber(point.x), shortNumber(point.y)});
    }
    if (points == 0) {
        scene.empty = chart.frame.empty;
        return scene;
    }
    if (!chart.log_y)
        y.add(0.0);
    for (const auto& values : {chart.guides, chart.reached}) {
        for (const double value : values)
            y.add(value);
    }
    if (!chart.log_x) {
        const double room = (x.high - x.low) * 0.04;
        x = {std::max(x.low >= 0.0 ? 0.0 : x.low - room, x.low - room), x.high + room};
    }
    const auto& legend = chart.series.size() > 1 ? chart.series : std::vector<std::string>();
    const ChartAxes axes(chart.frame, x, y, legendHeight(legend, chart.frame.width));
    if (axes.tooSmall())
        return scene;
    paintLegend(scene, legend, kTitleHeight, false);
    axes.paint(scene);
    paintFit(scene, chart, axes);
    for (const ScatterPoint& point : chart.points) {
        if (!shown(chart, point.x, point.y))
            continue;
        const Point at{axes.toX(point.x), axes.toY(point.y)};
        const Paint paint{seriesInk(point.series), 0.85};
        scene.items.push_back(SceneMarker{at, 8.0, markerOf(point.series), paint});
        if (point.marked)
            scene.items.push_back(SceneMarker{at, 14.0, MarkerShape::Circle, {Ink::Text}, true});
        scene.marks.push_back({{at.x - 8.0, at.y - 8.0, 16.0, 16.0}, point.text, point.link});
    }
    if (chart.knee && shown(chart, chart.knee->first.x, chart.knee->first.y)) {
        const Point at{axes.toX(chart.knee->first.x), axes.toY(chart.knee->first.y)};
        // There are no points below and to the right: they would be better than the knee.
        constexpr double kBeside = 12.0;
        const double room = axes.plot().right() - textWidth(chart.knee->second, kSceneFont);
        scene.items.push_back(SceneText{.at = {std::min(at.x + kBeside, room), at.y + kBeside},
                                        .text = chart.knee->second,
                                        .bold = true});
    }
    scene.summary = {"%1: %2 runs.", chart.frame.title, points};
    return scene;
}

Scene layoutCourse(const CourseChart& chart)
{
    ScatterChart scatter{.frame = chart.frame, .points = {}, .guides = chart.guides};
    for (const CourseStep& step : chart.steps) {
        scatter.points.push_back({step.x, step.y, step.text});
        scatter.curve.push_back({step.x, step.y});
        if (!step.interval)
            continue;
        scatter.band_low.push_back({step.x, step.interval->first});
        scatter.band_high.push_back({step.x, step.interval->second});
    }
    if (!scatter.band_low.empty())
        scatter.reached = {scatter.band_low.back().y, scatter.band_high.back().y};
    Scene scene = layoutScatter(scatter);
    if (!chart.steps.empty())
        scene.summary = {"%1: %2", chart.frame.title, chart.steps.back().text};
    return scene;
}

} // namespace ep::viz
