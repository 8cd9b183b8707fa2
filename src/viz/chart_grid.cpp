// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_axes.h"

#include <algorithm>
#include <cmath>

namespace ep::viz {

namespace {

constexpr double kMinPixels = 3.0;
constexpr double kLegend = 34.0;

void paintLegendBar(Scene& scene, double largest, const std::string& unit, bool oneSided,
                    double top)
{
    constexpr int kSteps = 40;
    constexpr double kWidth = 200.0;
    const double x = kMargin + textWidth('-' + shortNumber(largest) + ' ' + unit, kSceneFont) + 6.0;
    for (int i = 0; i < kSteps; ++i) {
        scene.items.push_back(
            SceneRect{{x + kWidth / kSteps * i, top, kWidth / kSteps + 0.5, 12.0},
                      Paint{Ink::Surface, 1.0,
                            oneSided ? (i + 0.5) / kSteps : (2.0 * i + 1.0) / kSteps - 1.0}});
    }
    scene.items.push_back(SceneRect{{x, top, kWidth, 12.0}, {}, Paint{Ink::Outline}});
    const std::string end = shortNumber(largest) + ' ' + unit;
    scene.items.push_back(SceneText{.at = {x - 6.0, top + 6.0},
                                    .text = oneSided ? "0" : '-' + end,
                                    .align = TextAlign::Right,
                                    .ink = Ink::Muted});
    scene.items.push_back(SceneText{.at = {x + kWidth + 6.0, top + 6.0},
                                    .text = (oneSided ? "" : "+") + end,
                                    .ink = Ink::Muted});
}

} // namespace

Scene layoutDifferences(const DifferenceGrid& grid)
{
    Scene scene = emptyScene(grid.frame);
    const std::size_t columns = grid.columns.size();
    double largest = 0.0;
    std::size_t known = 0;
    std::size_t where = 0;
    for (std::size_t i = 0; i < grid.values.size(); ++i) {
        if (!grid.values[i])
            continue;
        ++known;
        if (std::abs(*grid.values[i]) > largest) {
            largest = std::abs(*grid.values[i]);
            where = i;
        }
    }
    const auto number = [&](double value) {
        return grid.one_sided ? shortNumber(value) : signedNumber(value);
    };
    scene.table.columns.emplace_back("");
    scene.table.columns.insert(scene.table.columns.end(), grid.columns.begin(), grid.columns.end());
    if (known == 0 || columns == 0) {
        scene.empty = grid.frame.empty;
        return scene;
    }
    double rowLabels = 0.0;
    for (const std::string& row : grid.rows)
        rowLabels = std::max(rowLabels, textWidth(row, kSceneFont));
    double columnLabels = 0.0;
    for (const std::string& column : grid.columns)
        columnLabels = std::max(columnLabels, textWidth(column, kSceneFont));
    const double left = kMargin + rowLabels + 8.0;
    const double cellWidth =
        std::floor((grid.frame.width - left - kMargin) / static_cast<double>(columns));
    const bool upwards = columnLabels + 6.0 > cellWidth;
    const double top = kTitleHeight + (upwards ? columnLabels + 8.0 : kLine + 4.0);
    const double below = kLegend + (grid.frame.note.empty() ? 0.0 : kLine);
    const double cellHeight = std::min(
        32.0,
        std::floor((grid.frame.height - top - below) / static_cast<double>(grid.rows.size())));
    if (cellWidth < kMinPixels || cellHeight < kMinPixels)
        return scene;
    for (std::size_t c = 0; c < columns; ++c) {
        const double x = left + cellWidth * (static_cast<double>(c) + 0.5);
        scene.items.push_back(SceneText{.at = {x, upwards ? top - 6.0 : top - kLine / 2.0},
                                        .text = grid.columns[c],
                                        .align = upwards ? TextAlign::Left : TextAlign::Centre,
                                        .ink = Ink::Muted,
                                        .upwards = upwards});
    }
    const auto labelStep = static_cast<std::size_t>(std::max(1.0, std::ceil(14.0 / cellHeight)));
    const double gap = cellHeight >= 8.0 && cellWidth >= 8.0 ? 1.0 : 0.0;
    for (std::size_t r = 0; r < grid.rows.size(); ++r) {
        const double y = top + cellHeight * static_cast<double>(r);
        std::vector<std::string> row{grid.rows[r]};
        if (r % labelStep == 0) {
            scene.items.push_back(SceneText{.at = {left - 8.0, y + cellHeight / 2.0},
                                            .text = grid.rows[r],
                                            .align = TextAlign::Right,
                                            .ink = Ink::Muted});
        }
        for (std::size_t c = 0; c < columns; ++c) {
            const auto& value = grid.values[r * columns + c];
            const Rect area{left + cellWidth * static_cast<double>(c), y, cellWidth - gap,
                            cellHeight - gap};
            const std::string text =
                value ? number(*value) + ' ' + grid.unit : std::string("no value");
            row.push_back(value ? number(*value) : "\u2014");
            scene.marks.push_back({area, grid.rows[r] + ", " + grid.columns[c] + ": " + text, {}});
            if (!value) {
                scene.items.push_back(SceneRect{area, {}, {}, true});
                continue;
            }
            const double share = largest > 0.0 ? *value / largest : 0.0;
            scene.items.push_back(SceneRect{area, Paint{Ink::Surface, 1.0, share}});
            if (cellHeight >= 15.0 && cellWidth >= textWidth(number(*value), 11.0) + 4.0) {
                scene.items.push_back(SceneText{.at = area.centre(),
                                                .text = number(*value),
                                                .align = TextAlign::Centre,
                                                .on = share});
            }
        }
        scene.table.rows.push_back(std::move(row));
    }
    const double bottom = top + cellHeight * static_cast<double>(grid.rows.size());
    scene.items.push_back(
        SceneRect{{left, top, cellWidth * static_cast<double>(columns) - gap, bottom - top - gap},
                  {},
                  Paint{Ink::Grid}});
    paintLegendBar(scene, largest, grid.unit, grid.one_sided, bottom + 12.0);
    scene.summary = grid.frame.title + ": the largest is " + number(*grid.values[where]) + ' '
        + grid.unit + " at " + grid.rows[where / columns] + ", " + grid.columns[where % columns]
        + ".";
    return scene;
}

} // namespace ep::viz
