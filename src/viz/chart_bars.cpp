// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_axes.h"

#include <algorithm>

namespace ep::viz {

namespace {

constexpr double kRow = 26.0;
constexpr double kBar = 15.0;
constexpr double kClear = 4.0; // space between the axis and a text below a bar

SceneText labelOf(const Bar& bar, Point at, double room)
{
    return {.at = at,
            .text = bar.label,
            .align = TextAlign::Right,
            .room = room,
            .cut_in_middle = true};
}

} // namespace

Scene layoutBars(const BarChart& chart)
{
    double labels = 0.0;
    double texts = 0.0;
    for (const Bar& bar : chart.bars) {
        labels = std::max(labels, textWidth(bar.label, kSceneFont));
        texts = std::max(texts, textWidth(bar.text, kSceneFont));
    }
    ChartFrame frame = chart.frame;
    labels = std::min(labels, frame.width * 0.5);
    const double left = kMargin + labels + 10.0;
    const double room = frame.width - left - 2.0 * kMargin - 8.0;
    // Texts next to the bars would leave no room for the bars, so the texts are below.
    const bool below = room - texts < 40.0;
    const double width = below ? room : room - texts;
    const double row = below ? kRow + kLine : kRow;
    frame.height = kTitleHeight
        + row * static_cast<double>(std::max<std::size_t>(chart.bars.size(), 3)) + 2.0 * kLine;
    Scene scene = emptyScene(frame);
    scene.table.columns = {"", chart.frame.x_title};
    double largest = 0.0;
    const Bar* first = nullptr;
    for (const Bar& bar : chart.bars) {
        scene.table.rows.push_back({bar.label, bar.text});
        if (!bar.value)
            continue;
        first = first ? first : &bar;
        largest = std::max({largest, *bar.value, bar.interval ? bar.interval->second : 0.0});
    }
    if (!first || !(largest > 0.0)) {
        scene.empty = frame.empty;
        return scene;
    }
    if (width < 40.0)
        return scene;
    for (std::size_t i = 0; i < chart.bars.size(); ++i) {
        const Bar& bar = chart.bars[i];
        const double y = kTitleHeight + row * static_cast<double>(i) + kRow / 2.0;
        scene.items.push_back(labelOf(bar, {left - 8.0, y}, labels));
        double end = left;
        if (bar.value) {
            const double length = std::max(1.0, *bar.value / largest * width);
            scene.items.push_back(
                SceneRect{{left, y - kBar / 2.0, length, kBar}, Paint{seriesInk(bar.series)}});
            end = left + length;
            if (bar.interval) {
                const double low = left + std::max(0.0, bar.interval->first) / largest * width;
                const double high = left + bar.interval->second / largest * width;
                scene.items.push_back(ScenePath{{{low, y}, {high, y}}, {Ink::Text}, 1.5});
                for (const double x : {low, high})
                    scene.items.push_back(
                        ScenePath{{{x, y - 4.0}, {x, y + 4.0}}, {Ink::Text}, 1.5});
                end = std::max(end, high);
            }
        }
        const Point at =
            below ? Point{kMargin, y + (kRow + kLine) / 2.0 - 4.0} : Point{end + 8.0, y};
        scene.items.push_back(SceneText{.at = at, .text = bar.text, .ink = Ink::Muted});
        scene.marks.push_back({{kMargin, y - kRow / 2.0, frame.width - 2.0 * kMargin, row},
                               bar.label + ": " + bar.text,
                               bar.link});
    }
    const auto axis = [&](double from, double to) {
        scene.items.push_back(ScenePath{{{left, from}, {left, to}}, {Ink::Outline}, 1.0});
    };
    if (below) { // only if the texts are below; otherwise the line would cross them
        for (std::size_t i = 0; i < chart.bars.size(); ++i) {
            const double top = kTitleHeight + row * static_cast<double>(i);
            axis(top, top + kRow - kClear);
        }
    } else {
        axis(kTitleHeight, frame.height - 2.0 * kLine);
    }
    scene.summary = {chart.bars.size() == 1 ? "%1: %2 bar; first %3 with %4."
                                            : "%1: %2 bars; first %3 with %4.",
                     frame.title, chart.bars.size(), first->label, first->text};
    return scene;
}

} // namespace ep::viz
