// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_axes.h"

#include "ep/core/quantile.h"

#include <algorithm>
#include <cmath>

namespace ep::viz {

namespace {

void paintGroup(Scene& scene, const ChartAxes& axes, const DistributionGroup& group,
                std::size_t index, double left, double width)
{
    std::vector<double> sorted = group.values;
    std::sort(sorted.begin(), sorted.end());
    const Paint paint{seriesInk(index)};
    const double box = std::min(70.0, width * 0.32);
    const double boxX = left + width * 0.5 - box - 8.0;
    const double dots = left + width * 0.5 + 8.0;
    const double spread = std::min(60.0, width * 0.28);
    const double top = axes.toY(quantileOf(sorted, 0.75));
    const double bottom = axes.toY(quantileOf(sorted, 0.25));
    const double middle = axes.toY(quantileOf(sorted, 0.5));
    if (sorted.size() > 2) {
        const double whisker = boxX + box / 2.0;
        scene.items.push_back(ScenePath{
            {{whisker, axes.toY(sorted.back())}, {whisker, axes.toY(sorted.front())}}, paint, 1.0});
        scene.items.push_back(
            SceneRect{{boxX, top, box, std::max(1.0, bottom - top)}, Paint{Ink::Surface}, {}});
        scene.items.push_back(
            SceneRect{{boxX, top, box, std::max(1.0, bottom - top)}, Paint{paint.ink, 0.2}, paint});
        scene.items.push_back(ScenePath{{{boxX, middle}, {boxX + box, middle}}, paint, 2.5});
    }
    const std::size_t step = 1 + sorted.size() / kManyValues;
    for (std::size_t i = 0; i < sorted.size(); i += step) {
        // Golden-ratio offsets spread neighbouring points deterministically.
        const double shift =
            sorted.size() == 1 ? 0.5 : std::fmod(static_cast<double>(i) * 0.6180339887, 1.0);
        scene.items.push_back(SceneMarker{{dots + shift * spread, axes.toY(sorted[i])},
                                          5.0,
                                          markerOf(index),
                                          {paint.ink, sorted.size() > 60 ? 0.45 : 0.9}});
    }
    if (group.mean) {
        const double x = dots + spread + 12.0;
        if (group.interval) {
            const double low = axes.toY(group.interval->first);
            const double high = axes.toY(group.interval->second);
            scene.items.push_back(ScenePath{{{x, low}, {x, high}}, {Ink::Text}, 1.5});
            for (const double end : {low, high}) {
                scene.items.push_back(
                    ScenePath{{{x - 4.0, end}, {x + 4.0, end}}, {Ink::Text}, 1.5});
            }
        }
        scene.items.push_back(
            SceneMarker{{x, axes.toY(*group.mean)}, 8.0, MarkerShape::Diamond, {Ink::Text}});
    }
    scene.marks.push_back({{left, axes.plot().y, width, axes.plot().height},
                           group.label + ": " + std::to_string(sorted.size()) + " values, median "
                               + shortNumber(quantileOf(sorted, 0.5)) + ", quartiles "
                               + shortNumber(quantileOf(sorted, 0.25)) + " and "
                               + shortNumber(quantileOf(sorted, 0.75)),
                           {}});
}

} // namespace

Scene layoutDistributions(const DistributionChart& chart)
{
    Scene scene = emptyScene(chart.frame);
    scene.table.columns = {"Group", chart.frame.y_title};
    ChartAxes::Range y;
    std::size_t values = 0;
    for (const DistributionGroup& group : chart.groups) {
        values += group.values.size();
        for (const double value : group.values) {
            y.add(value);
            scene.table.rows.push_back({group.label, shortNumber(value)});
        }
        if (group.interval && !group.values.empty()) {
            y.add(group.interval->first);
            y.add(group.interval->second);
        }
    }
    if (values == 0) {
        scene.empty = chart.frame.empty;
        return scene;
    }
    const ChartAxes axes(chart.frame, {0.0, 1.0}, y, 0.0);
    if (axes.tooSmall())
        return scene;
    const double width = axes.plot().width / static_cast<double>(chart.groups.size());
    std::vector<std::pair<double, std::string>> labels;
    for (std::size_t i = 0; i < chart.groups.size(); ++i) {
        const auto place =
            (static_cast<double>(i) + 0.5) / static_cast<double>(chart.groups.size());
        labels.emplace_back(place, chart.groups[i].label);
    }
    axes.paint(scene, labels, false);
    for (std::size_t i = 0; i < chart.groups.size(); ++i) {
        if (!chart.groups[i].values.empty()) {
            paintGroup(scene, axes, chart.groups[i], i,
                       axes.plot().x + width * static_cast<double>(i), width);
        }
    }
    scene.summary = {"%1 of %2 groups with %3 values.", chart.frame.title, chart.groups.size(),
                     values};
    return scene;
}

} // namespace ep::viz
