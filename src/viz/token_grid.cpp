// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/token_grid.h"

#include "ep/viz/colour.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace ep::viz {

bool TokenGrid::allMissing() const
{
    return !values.empty()
        && std::none_of(values.begin(), values.end(), [](const auto& value) { return value; });
}

TokenGrid buildTokenGrid(const Run& run, const RunBreakdown& parts, CostMetric metric)
{
    TokenGrid grid;
    grid.metric = metric;
    const auto baseline = baselineOf(run);
    std::unordered_map<std::int32_t, std::size_t> places;
    std::vector<bool> decoded;
    for (const TokenSpan& token : run.trace.tokens) {
        places.emplace(token.index, grid.tokens.size());
        grid.tokens.push_back(token.index);
        decoded.push_back(token.phase == Phase::Decode);
        if (metric != CostMetric::Time && token.energy.total_mj)
            grid.provenance = grid.provenance == Provenance::Missing
                ? std::max(token.energy.provenance, Provenance::Attributed)
                : std::max(grid.provenance, token.energy.provenance);
    }
    if (metric == CostMetric::Time)
        grid.provenance = Provenance::Measured;
    for (const auto& of : parts.token_layers)
        grid.layers = std::max(grid.layers, of.layer + 1);
    grid.values.resize(grid.tokens.size() * static_cast<std::size_t>(grid.layers));
    std::vector<double> scaled;
    for (const auto& of : parts.token_layers) {
        const auto place = places.find(of.token);
        if (place == places.end() || of.layer < 0)
            continue;
        const auto value = valueOf(of.sum, metric, baseline);
        grid.values[place->second * static_cast<std::size_t>(grid.layers)
                    + static_cast<std::size_t>(of.layer)] = value;
        if (!value || (!decoded[place->second] && grid.tokens.size() > 1))
            continue;
        scaled.push_back(*value);
    }
    if (!scaled.empty()) {
        grid.low = *std::ranges::min_element(scaled);
        const double most = *std::ranges::max_element(scaled);
        grid.high = scaleTop(std::move(scaled));
        grid.exceeded = grid.high < most;
    }
    return grid;
}

TokenGridGeometry layoutTokenGrid(const TokenGrid& grid, const Rect& area,
                                  const WaterfallStyle& style)
{
    TokenGridGeometry result;
    const double left = 5.0 * style.char_width;
    result.plot = {area.x + left, area.y, area.width - left, area.height - style.line_height};
    result.token_count = grid.tokens.size();
    result.layer_count = grid.layers;
    if (grid.empty() || result.plot.empty())
        return result;
    const auto tokens = static_cast<double>(grid.tokens.size());
    const double most = std::max(1.0, std::floor(result.plot.width / 2.0));
    result.tokens_per_column = static_cast<std::size_t>(std::ceil(tokens / most));
    result.columns = (grid.tokens.size() + result.tokens_per_column - 1) / result.tokens_per_column;
    result.plot.width = std::min(result.plot.width, 32.0 * static_cast<double>(result.columns));
    result.plot.height = std::min(result.plot.height, 48.0 * grid.layers);
    result.values.resize(result.columns * static_cast<std::size_t>(grid.layers));
    for (std::size_t column = 0; column < result.columns; ++column) {
        const std::size_t first = column * result.tokens_per_column;
        const std::size_t last = std::min(first + result.tokens_per_column, grid.tokens.size());
        for (int layer = 0; layer < grid.layers; ++layer) {
            double sum = 0.0;
            double count = 0.0;
            for (std::size_t token = first; token < last; ++token) {
                if (const auto value = grid.at(token, layer)) {
                    sum += *value;
                    count += 1.0;
                }
            }
            if (count > 0.0)
                result.values[column * static_cast<std::size_t>(grid.layers)
                              + static_cast<std::size_t>(layer)] = sum / count;
        }
    }
    const Rect& plot = result.plot;
    const auto ticks = [](double count, double length, double spacing) {
        const double room = std::max(1.0, std::floor(length / spacing));
        return std::max(1.0, niceStep(count, static_cast<int>(room)));
    };
    const double each = plot.width / static_cast<double>(result.columns);
    const double step = ticks(tokens, plot.width, 8.0 * style.char_width);
    for (double at = 0.0; at < tokens; at += step) {
        const double column = std::floor(at / static_cast<double>(result.tokens_per_column));
        result.tokens.push_back({plot.x + each * (column + 0.5), at,
                                 std::to_string(grid.tokens[static_cast<std::size_t>(at)])});
    }
    const double height = plot.height / grid.layers;
    const double rows = ticks(grid.layers, plot.height, style.line_height);
    for (double at = 0.0; at < grid.layers; at += rows)
        result.layers.push_back(
            {plot.y + height * (at + 0.5), at, std::to_string(static_cast<int>(at))});
    return result;
}

std::optional<TokenGridGeometry::Cell> TokenGridGeometry::hit(Point point) const
{
    if (empty() || !plot.contains(point))
        return std::nullopt;
    const auto column =
        static_cast<std::size_t>((point.x - plot.x) / plot.width * static_cast<double>(columns));
    const int layer = static_cast<int>((point.y - plot.y) / plot.height * layer_count);
    return Cell{std::min(column, columns - 1) * tokens_per_column,
                std::min(layer, layer_count - 1)};
}

Rect TokenGridGeometry::cellOf(Cell cell) const
{
    if (empty())
        return {};
    const double width = plot.width / static_cast<double>(columns);
    const double height = plot.height / layer_count;
    const auto column = static_cast<double>(cell.token / tokens_per_column);
    return {plot.x + width * column, plot.y + height * cell.layer, width, height};
}

Message summarize(const TokenGrid& grid)
{
    if (grid.empty())
        return "No tokens and layers";
    if (grid.allMissing())
        return {"%1 is missing for all tokens", title(grid.metric)};
    std::size_t best = 0;
    for (std::size_t i = 0; i < grid.values.size(); ++i)
        if (grid.values[i] && (!grid.values[best] || *grid.values[i] > *grid.values[best]))
            best = i;
    const auto layers = static_cast<std::size_t>(grid.layers);
    const double value = *grid.values[best];
    return sequence(
        {Message("%1 tokens by %2 layers", grid.tokens.size(), grid.layers),
         Message("most in token %1, layer %2: %3", grid.tokens[best / layers], best % layers,
                 formatIn(displayUnit(unit(grid.metric), value), value))},
        "; ");
}

} // namespace ep::viz
