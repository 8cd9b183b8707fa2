// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_axes.h"

#include "ep/core/format.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace ep::viz {

namespace {

constexpr double kMinPixels = 3.0;
constexpr double kLegend = 34.0;

void paintLegendBar(Scene& scene, double largest, const std::string& unit, double top)
{
    constexpr int kColours = 41; // odd, so that one is neutral
    constexpr double kWidth = 200.0;
    const double x = kMargin + textWidth('-' + shortNumber(largest) + ' ' + unit, kSceneFont) + 6.0;
    addColourBar(scene, {std::round(x), top, kWidth, 12.0}, kColours,
                 [](double fraction) { return Paint{.difference = 2.0 * fraction - 1.0}; });
    const std::string end = shortNumber(largest) + ' ' + unit;
    scene.items.push_back(SceneText{.at = {x - 6.0, top + 6.0},
                                    .text = '-' + end,
                                    .align = TextAlign::Right,
                                    .ink = Ink::Muted});
    scene.items.push_back(
        SceneText{.at = {x + kWidth + 6.0, top + 6.0}, .text = '+' + end, .ink = Ink::Muted});
}

// Where the cells are, and how large.
struct CellArea {
    double left = 0.0;
    double top = 0.0;
    double width = 0.0;
    double height = 0.0;
    double gap = 0.0; // between cells
    bool upwards = false; // column labels run upwards if one is wider than its column

    Rect at(std::size_t row, std::size_t column) const
    {
        return {left + width * static_cast<double>(column), top + height * static_cast<double>(row),
                width - gap, height - gap};
    }
};

double widestLabel(const std::vector<std::string>& labels)
{
    double width = 0.0;
    for (const std::string& label : labels)
        width = std::max(width, textWidth(label, kSceneFont));
    return width;
}

CellArea cellAreaOf(const DifferenceGrid& grid)
{
    CellArea area;
    area.left = kMargin + widestLabel(grid.rows) + 8.0;
    area.width = std::floor((grid.frame.width - area.left - kMargin)
                            / static_cast<double>(grid.columns.size()));
    const double columnLabels = widestLabel(grid.columns);
    area.upwards = columnLabels + 6.0 > area.width;
    area.top = kTitleHeight + (area.upwards ? columnLabels + 8.0 : kLine + 4.0);
    const double below = kLegend + (grid.frame.note.empty() ? 0.0 : kLine);
    area.height = std::min(
        32.0,
        std::floor((grid.frame.height - area.top - below) / static_cast<double>(grid.rows.size())));
    area.gap = area.height >= 8.0 && area.width >= 8.0 ? 1.0 : 0.0;
    return area;
}

// In the cells, all numbers have the decimals of the largest one, as in a heatmap; a value that
// rounds to zero has no sign.
std::string cellNumber(double value, double largest)
{
    const int decimals =
        largest > 0.0 ? std::clamp(2 - static_cast<int>(std::floor(std::log10(largest))), 0, 6) : 0;
    if (std::abs(value) < 0.5 * std::pow(10.0, -decimals))
        return "0";
    return withSign(formatFixed(value, decimals), value);
}

void paintColumnLabels(Scene& scene, const DifferenceGrid& grid, const CellArea& cells)
{
    for (std::size_t c = 0; c < grid.columns.size(); ++c) {
        const double x = cells.left + cells.width * (static_cast<double>(c) + 0.5);
        scene.items.push_back(
            SceneText{.at = {x, cells.upwards ? cells.top - 6.0 : cells.top - kLine / 2.0},
                      .text = grid.columns[c],
                      .align = cells.upwards ? TextAlign::Left : TextAlign::Centre,
                      .ink = Ink::Muted,
                      .upwards = cells.upwards});
    }
}

// Paints a row and adds it to the table of the scene. `largest`: value of the strongest colour.
void paintRow(Scene& scene, const DifferenceGrid& grid, const CellArea& cells, std::size_t r,
              double largest)
{
    std::vector<std::string> row{grid.rows[r]};
    const std::size_t columns = grid.columns.size();
    for (std::size_t c = 0; c < columns; ++c) {
        const auto& value = grid.values[r * columns + c];
        const Rect area = cells.at(r, c);
        const std::string number = value ? signedNumber(*value) : std::string();
        row.push_back(value ? number : "\u2014");
        scene.marks.push_back({area,
                               grid.rows[r] + ", " + grid.columns[c] + ": "
                                   + (value ? number + ' ' + grid.unit : "no value"),
                               {}});
        if (!value) {
            scene.items.push_back(SceneRect{area, {}, {}, Provenance::Missing});
            continue;
        }
        const double share = largest > 0.0 ? *value / largest : 0.0;
        const Paint paint{Ink::Surface, 1.0, share};
        scene.items.push_back(SceneRect{area, paint});
        const std::string shown = cellNumber(*value, largest);
        if (cells.height >= 15.0 && cells.width >= textWidth(shown, 11.0) + 4.0) {
            scene.items.push_back(SceneText{
                .at = area.centre(), .text = shown, .align = TextAlign::Centre, .on = paint});
        }
    }
    scene.table.rows.push_back(std::move(row));
}

// Index of the value that is farthest from zero; absent if none is known.
std::optional<std::size_t> largestValue(const DifferenceGrid& grid)
{
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < grid.values.size(); ++i) {
        if (grid.values[i]
            && (!found || std::abs(*grid.values[i]) > std::abs(*grid.values[*found])))
            found = i;
    }
    return found;
}

} // namespace

Scene layoutDifferences(const DifferenceGrid& grid)
{
    Scene scene = emptyScene(grid.frame);
    const std::size_t columns = grid.columns.size();
    scene.table.columns.emplace_back("");
    scene.table.columns.insert(scene.table.columns.end(), grid.columns.begin(), grid.columns.end());
    const auto where = largestValue(grid);
    if (!where || columns == 0) {
        scene.empty = grid.frame.empty;
        return scene;
    }
    const double largest = std::abs(*grid.values[*where]);
    const CellArea cells = cellAreaOf(grid);
    if (cells.width < kMinPixels || cells.height < kMinPixels)
        return scene;
    paintColumnLabels(scene, grid, cells);
    const auto labelStep = static_cast<std::size_t>(std::max(1.0, std::ceil(14.0 / cells.height)));
    for (std::size_t r = 0; r < grid.rows.size(); ++r) {
        if (r % labelStep == 0) {
            scene.items.push_back(SceneText{
                .at = {cells.left - 8.0, cells.top + cells.height * (static_cast<double>(r) + 0.5)},
                .text = grid.rows[r],
                .align = TextAlign::Right,
                .ink = Ink::Muted});
        }
        paintRow(scene, grid, cells, r, largest);
    }
    const double bottom = cells.top + cells.height * static_cast<double>(grid.rows.size());
    scene.items.push_back(
        SceneRect{{cells.left, cells.top, cells.width * static_cast<double>(columns) - cells.gap,
                   bottom - cells.top - cells.gap},
                  {},
                  Paint{Ink::Grid}});
    paintLegendBar(scene, largest, grid.unit, bottom + 12.0);
    scene.summary = {"%1: the largest is %2 at %3.", grid.frame.title,
                     signedNumber(*grid.values[*where]) + ' ' + grid.unit,
                     sequence({grid.rows[*where / columns], grid.columns[*where % columns]}, ", ")};
    return scene;
}

} // namespace ep::viz
