// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/colour.h"
#include "ep/viz/heatmap.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ep::viz {

namespace {

constexpr double kNumberCharacters = 6.0; // narrower cells have no room for a number
constexpr double kMaxRowHeight = 48.0; // limits the height of models with few layers
constexpr double kMaxColumnCharacters = 20.0;
constexpr double kMinSizeForGap = 6.0;
constexpr double kMeansCharacters = 8.0;

std::vector<double> edges(double begin, double length, int count)
{
    std::vector<double> result;
    result.reserve(static_cast<std::size_t>(count) + 1);
    for (int i = 0; i <= count; ++i)
        result.push_back(std::round(begin + length * i / count));
    return result;
}

std::optional<int> slotOf(const std::vector<double>& sorted, double position)
{
    const auto next = std::upper_bound(sorted.begin(), sorted.end(), position);
    if (next == sorted.begin() || next == sorted.end())
        return std::nullopt;
    return static_cast<int>(next - sorted.begin()) - 1;
}

double longestName(const HeatmapData& data)
{
    std::size_t longest = 0;
    for (const Component component : data.components)
        longest = std::max(longest, shortName(component).size());
    return static_cast<double>(longest);
}

} // namespace

double HeatmapScale::fraction(double value) const
{
    return high > low ? std::min(1.0, (value - low) / (high - low)) : 0.0;
}

HeatmapScale scaleOf(const HeatmapData& data, std::optional<double> fixedHigh)
{
    HeatmapScale scale;
    scale.low = std::min(0.0, data.smallest().value_or(0.0));
    std::vector<double> present;
    for (const auto& value : data.values) {
        if (value)
            present.push_back(*value);
    }
    scale.high = fixedHigh.value_or(std::max(0.0, scaleTop(std::move(present))));
    scale.exceeded = data.largest().value_or(0.0) > scale.high;
    return scale;
}

double tallestHeatmap(const HeatmapData& data, const HeatmapStyle& style)
{
    const double names = longestName(data) * style.char_width + style.margin;
    return std::ceil(2.0 * style.margin + names + style.line_height + data.layers * kMaxRowHeight
                     + style.legend_height);
}

Rect HeatmapGeometry::cell(int row, int column) const
{
    const auto line = static_cast<std::size_t>(row);
    const auto col = static_cast<std::size_t>(column);
    return {column_edges[col], row_edges[line], column_edges[col + 1] - column_edges[col] - gap,
            row_edges[line + 1] - row_edges[line] - gap};
}

std::optional<HeatmapCell> HeatmapGeometry::hit(Point point) const
{
    if (empty() || !plot.contains(point))
        return std::nullopt;
    const auto row = slotOf(row_edges, point.y);
    const auto column = slotOf(column_edges, point.x);
    if (!row || !column)
        return std::nullopt;
    return HeatmapCell{*row, *column};
}

HeatmapGeometry layoutHeatmap(const HeatmapData& data, double width, double height,
                              const HeatmapStyle& style)
{
    HeatmapGeometry g;
    const auto columns = static_cast<int>(data.components.size());
    if (data.layers <= 0 || columns <= 0)
        return g;

    // From left to right: layer numbers, cells, row means.
    const double digits = static_cast<double>(std::to_string(data.layers - 1).size());
    const double headerWidth = std::ceil(
        std::max(style.char_width * std::max(5.0, digits), style.corner_width) + style.margin);
    const double meansWidth = std::ceil(style.char_width * kMeansCharacters);
    double left = std::ceil(style.margin) + headerWidth;
    double plotWidth = width - left - style.margin;
    const bool rowMeans = plotWidth - meansWidth >= columns * style.char_width * 2.0;
    if (rowMeans)
        plotWidth -= meansWidth;
    plotWidth = std::floor(std::min(plotWidth, columns * style.char_width * kMaxColumnCharacters));
    if (plotWidth < columns)
        return g;
    const double cellWidth = plotWidth / columns;

    // From top to bottom: names, column means, cells, legend. Extras need enough room.
    g.vertical_names = cellWidth < (longestName(data) + 1.0) * style.char_width;
    const double nameHeight = std::ceil(
        g.vertical_names ? longestName(data) * style.char_width + style.margin : style.line_height);
    const bool columnMeans = cellWidth >= kNumberCharacters * style.char_width;
    const double meansHeight = columnMeans ? std::ceil(style.line_height) : 0.0;
    const double top = std::ceil(style.margin);
    double plotTop = top + nameHeight + meansHeight;
    const double withLegend = height - plotTop - style.margin - style.legend_height;
    const bool legend = withLegend >= data.layers * 2.0;
    double plotHeight = legend ? withLegend : height - plotTop - style.margin;
    plotHeight = std::floor(std::min(plotHeight, data.layers * kMaxRowHeight));
    if (plotHeight < data.layers)
        return {};
    double cellHeight = plotHeight / data.layers;
    if (cellHeight < style.line_height) {
        // The first layer's label is taller than its row and must not touch the names.
        const double air =
            std::min(std::ceil((style.line_height - cellHeight) / 2.0), plotHeight - data.layers);
        plotTop += air;
        plotHeight -= air;
        cellHeight = plotHeight / data.layers;
    }

    g.plot = {left, plotTop, plotWidth, plotHeight};
    g.row_edges = edges(plotTop, plotHeight, data.layers);
    g.column_edges = edges(left, plotWidth, columns);
    g.row_header = {left - headerWidth, plotTop, headerWidth, plotHeight};
    g.column_header = {left, top, plotWidth, nameHeight};
    if (columnMeans)
        g.column_means = {left, top + nameHeight, plotWidth, meansHeight};
    if (rowMeans)
        g.row_means = {left + plotWidth, plotTop, meansWidth, plotHeight};
    if (legend)
        g.legend = {left, plotTop + plotHeight, plotWidth, style.legend_height};
    g.gap = cellWidth >= kMinSizeForGap && cellHeight >= kMinSizeForGap ? style.gap : 0.0;
    g.cell_labels = cellWidth - g.gap >= kNumberCharacters * style.char_width
        && cellHeight - g.gap >= style.line_height;
    g.row_label_step = 1;
    for (const int step : {1, 2, 5, 10, 20, 50, 100, 200}) {
        g.row_label_step = step;
        if (step * cellHeight >= style.line_height)
            break;
    }
    return g;
}

} // namespace ep::viz
