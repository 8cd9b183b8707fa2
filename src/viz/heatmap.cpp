// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/heatmap.h"

#include "ep/core/format.h"
#include "ep/viz/colour.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <unordered_map>
#include <utility>

namespace ep::viz {
namespace {

std::optional<double> meanOf(const HeatmapData& data, std::size_t first, std::size_t step,
                             std::size_t count)
{
    double sum = 0.0;
    int present = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (const auto& value = data.values[first + i * step]) {
            sum += *value;
            ++present;
        }
    }
    return present > 0 ? std::optional(sum / present) : std::nullopt;
}

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

bool HeatmapData::allMissing() const
{
    return !values.empty()
        && std::none_of(values.begin(), values.end(), [](const auto& v) { return v.has_value(); });
}

std::optional<double> HeatmapData::at(int row, int column) const
{
    const auto width = static_cast<std::size_t>(components.size());
    return values[static_cast<std::size_t>(row) * width + static_cast<std::size_t>(column)];
}

std::optional<double> HeatmapData::rowMean(int row) const
{
    return meanOf(*this, static_cast<std::size_t>(row) * components.size(), 1, components.size());
}

std::optional<double> HeatmapData::columnMean(int column) const
{
    return meanOf(*this, static_cast<std::size_t>(column), components.size(),
                  static_cast<std::size_t>(layers));
}

std::optional<double> HeatmapData::smallest() const
{
    const auto found = std::ranges::min_element(values, [](const auto& a, const auto& b) {
        return a && (!b || *a < *b); // a missing value is not the least
    });
    return found == values.end() ? std::nullopt : *found;
}

std::optional<double> HeatmapData::largest() const
{
    const auto found = std::ranges::max_element(values); // a missing value is the least
    return found == values.end() ? std::nullopt : *found;
}

int HeatmapData::columnOf(Component component) const
{
    const auto found = std::find(components.begin(), components.end(), component);
    return found == components.end() ? -1 : static_cast<int>(found - components.begin());
}

int HeatmapData::layerOf(int row) const
{
    return row_layers.empty() ? row : row_layers[static_cast<std::size_t>(row)];
}

int HeatmapData::rowOf(int layer) const
{
    if (row_layers.empty())
        return layer >= 0 && layer < layers ? layer : -1;
    const auto found = std::find(row_layers.begin(), row_layers.end(), layer);
    return found == row_layers.end() ? -1 : static_cast<int>(found - row_layers.begin());
}

void HeatmapData::sortRows()
{
    std::vector<int> order(static_cast<std::size_t>(layers));
    std::vector<double> means;
    for (int row = 0; row < layers; ++row) {
        order[static_cast<std::size_t>(row)] = row;
        means.push_back(rowMean(row).value_or(-std::numeric_limits<double>::infinity()));
    }
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return means[static_cast<std::size_t>(a)] > means[static_cast<std::size_t>(b)];
    });
    std::vector<std::optional<double>> sorted;
    sorted.reserve(values.size());
    std::vector<int> ofRow;
    for (const int row : order) {
        for (int column = 0; column < static_cast<int>(components.size()); ++column)
            sorted.push_back(at(row, column));
        ofRow.push_back(layerOf(row));
    }
    values = std::move(sorted);
    row_layers = std::move(ofRow);
}

Message summarize(const HeatmapData& data)
{
    if (data.empty())
        return "No layers yet";
    const auto largest = std::max_element(data.values.begin(), data.values.end());
    if (!largest->has_value())
        return {"%1 is missing for all cells", title(data.metric)};
    const auto index = static_cast<std::size_t>(largest - data.values.begin());
    const int layer = data.layerOf(static_cast<int>(index / data.components.size()));
    const Component component = data.components[index % data.components.size()];
    const std::string value = formatIn(displayUnit(unit(data.metric), **largest), **largest);
    // Shares only make sense for metrics that add up.
    if (data.metric == HeatmapMetric::TimeMs || data.metric == HeatmapMetric::EnergyMj) {
        double sum = 0.0;
        for (const auto& one : data.values)
            sum += one.value_or(0.0);
        if (sum > 0.0)
            return {"Highest %1: layer %2 %3, %4 (%5 of all layers)",
                    title(data.metric),
                    layer,
                    name(component),
                    value,
                    formatPercent(**largest / sum)};
    }
    return {"Highest %1: layer %2 %3, %4", title(data.metric), layer, name(component), value};
}

void HeatmapAccumulator::clear()
{
    *this = {};
}

void HeatmapAccumulator::setFacts(const HeatmapFacts& facts)
{
    m_facts = facts;
}

HeatmapAccumulator::Cell& HeatmapAccumulator::cellOf(std::int32_t layer, Component component)
{
    Cell& cell = m_cells[{layer, component}];
    cell.layer = layer;
    cell.component = component;
    return cell;
}

void HeatmapAccumulator::add(std::span<const Span> spans, Provenance energy)
{
    static const double fade = std::exp2(-1.0 / kFadeTokens);
    for (const Span& span : spans) {
        if (span.layer < 0)
            continue;
        Cell& cell = cellOf(span.layer, span.component);
        cell.add(span, energy);
        const double time = toMilliseconds(span.time.duration_ns());
        cell.recent_time_ms = cell.recent_time_ms * fade + time;
        cell.recent_weight = cell.recent_weight * fade + 1.0;
        if (span.energy_mj) {
            cell.recent_energy_mj = cell.recent_energy_mj * fade + span.energy_mj->value;
            cell.recent_energy_time_ms = cell.recent_energy_time_ms * fade + time;
            cell.recent_energy_weight = cell.recent_energy_weight * fade + 1.0;
        }
    }
    ++m_tokens;
}

void HeatmapAccumulator::add(const RunTrace& trace)
{
    // Spans are in order of time, so those of one token are adjacent.
    for (std::size_t first = 0; first < trace.components.size();) {
        const std::int32_t token = trace.components[first].token;
        std::size_t last = first;
        while (last < trace.components.size() && trace.components[last].token == token)
            ++last;
        const auto found =
            std::lower_bound(trace.tokens.begin(), trace.tokens.end(), token,
                             [](const TokenSpan& span, std::int32_t t) { return span.index < t; });
        const bool known = found != trace.tokens.end() && found->index == token;
        add(std::span(trace.components).subspan(first, last - first),
            known ? found->energy.provenance : Provenance::Missing);
        first = last;
    }
    add(std::span(trace.operations));
}

void HeatmapAccumulator::add(std::span<const Span> operations)
{
    for (const Span& span : operations) {
        if (span.layer >= 0 && span.extras)
            cellOf(span.layer, span.component).extras.add(*span.extras);
    }
}

void HeatmapAccumulator::add(std::span<const RunBreakdown::OfExtras> extras)
{
    for (const RunBreakdown::OfExtras& of : extras) {
        if (of.layer >= 0)
            cellOf(of.layer, of.component).extras.add(of.sum);
    }
}

void HeatmapAccumulator::add(std::span<const ComponentTotal> totals)
{
    std::int64_t tokens = 0;
    for (const ComponentTotal& total : totals) {
        if (total.layer < 0)
            continue;
        Cell& cell = cellOf(total.layer, total.component);
        cell.decode.add(total.sum); // the phases of a cell are only shown together
        if (total.stats)
            cell.stats.add(*total.stats, total.stats_spans);
        tokens = std::max(tokens, total.tokens);
    }
    m_tokens += static_cast<int>(tokens);
}

std::optional<double> HeatmapAccumulator::energyOf(const Cell& cell, HeatmapMetric metric,
                                                   CellReduction reduction) const
{
    const bool recent = reduction == CellReduction::Recent && cell.recent_weight > 0.0;
    const Tally sum = cell.sum();
    const double known = sum.energy_mj.value_or(Millijoules{}).value;
    double energy = recent ? cell.recent_energy_mj : known;
    const double time =
        recent ? cell.recent_energy_time_ms : toMilliseconds(sum.energy_duration_ns);
    const double count = recent ? cell.recent_energy_weight : static_cast<double>(sum.energy_spans);
    if (!(count > 0.0))
        return std::nullopt;
    if (metric == HeatmapMetric::PowerMw)
        return time > 0.0 ? std::optional(energy / time * 1e3) : std::nullopt;
    if (metric == HeatmapMetric::NetEnergyMj) {
        const auto net = netEnergy(Millijoules{energy}, std::llround(time * 1e6),
                                   BaselineRecord{.total_mw = m_facts.idle});
        if (!net)
            return std::nullopt;
        energy = net->value;
    }
    return reduction == CellReduction::Sum ? energy : energy / count;
}

std::optional<double> HeatmapAccumulator::valueOf(const Cell& cell, HeatmapMetric metric,
                                                  CellReduction reduction) const
{
    const auto mean = [](double sum, std::int64_t count) -> std::optional<double> {
        return count == 0 ? std::nullopt : std::optional(sum / static_cast<double>(count));
    };
    switch (metric) {
    case HeatmapMetric::TimeMs: {
        if (reduction == CellReduction::Recent && cell.recent_weight > 0.0)
            return cell.recent_time_ms / cell.recent_weight;
        const Tally sum = cell.sum();
        if (reduction == CellReduction::Sum && sum.spans > 0)
            return toMilliseconds(sum.duration_ns);
        return mean(toMilliseconds(sum.duration_ns), sum.spans);
    }
    case HeatmapMetric::EnergyMj:
    case HeatmapMetric::NetEnergyMj:
    case HeatmapMetric::PowerMw:
        return energyOf(cell, metric, reduction);
    case HeatmapMetric::ActivationMean:
        return mean(cell.stats.mean_abs, cell.stats.spans);
    case HeatmapMetric::ActivationStd:
        return mean(cell.stats.std, cell.stats.spans);
    case HeatmapMetric::ActivationMax:
        return cell.stats.spans == 0 ? std::nullopt : std::optional(cell.stats.max_abs);
    case HeatmapMetric::Sparsity:
        return mean(cell.stats.sparsity, cell.stats.spans);
    case HeatmapMetric::AttentionEntropy:
        return cell.extras.attention_entropy.mean();
    case HeatmapMetric::KillRatio:
        return cell.extras.activation_kill_ratio.mean();
    case HeatmapMetric::VarianceRatio:
        return cell.extras.variance_ratio.mean();
    }
    return std::nullopt;
}

Absence HeatmapAccumulator::absenceOf(HeatmapMetric metric, bool any, bool partial) const
{
    if (needsEnergy(metric)) {
        const bool energy = std::ranges::any_of(
            m_cells.list(), [](const Cell& cell) { return cell.sum().energy_mj.has_value(); });
        const bool net = metric == HeatmapMetric::NetEnergyMj;
        if (energy && net && !m_facts.idle)
            return Absence::NoBaseline;
        const auto isBelowIdle = [&](const Cell& cell) {
            return cell.sum().complete() && !energyOf(cell, metric, CellReduction::Sum);
        };
        if (net && !partial && std::ranges::any_of(m_cells.list(), isBelowIdle))
            return Absence::BelowIdle;
        return any && !partial ? Absence::NotHere : Absence::NoEnergy;
    }
    if (any)
        return Absence::NotHere;
    if (!needsOperations(metric))
        return Absence::NotRecorded;
    if (m_facts.depth != Depth::Deep)
        return Absence::Depth;
    return m_facts.pending ? Absence::Pending : Absence::NotRecorded;
}

HeatmapData HeatmapAccumulator::data(HeatmapMetric metric, CellReduction reduction) const
{
    HeatmapData result;
    result.metric = metric;
    result.reduction = reduction;
    result.tokens = m_tokens;
    const std::vector<Cell> cells = m_cells.list();
    std::set<Component> components;
    for (const Cell& cell : cells)
        components.insert(cell.component);
    result.components.assign(components.begin(), components.end());
    result.layers = cells.empty() ? 0 : cells.back().layer + 1;
    result.values.resize(static_cast<std::size_t>(result.layers) * components.size());
    Provenance worst =
        Provenance::Measured; // worst of the cells with energy; enumerators run from best to worst
    for (const Cell& cell : cells) {
        const auto row = static_cast<std::size_t>(cell.layer) * components.size();
        result.values[row + static_cast<std::size_t>(result.columnOf(cell.component))] =
            valueOf(cell, metric, reduction);
        const Tally sum = cell.sum();
        if (sum.energy_mj)
            worst = std::max(worst, sum.provenance);
        result.partial = result.partial || (needsEnergy(metric) && sum.energy_spans < sum.spans);
    }
    const bool any = !result.empty() && !result.allMissing();
    const bool missing =
        std::ranges::any_of(result.values, [](const auto& value) { return !value.has_value(); });
    if (any)
        result.provenance = needsEnergy(metric) ? worst : Provenance::Measured;
    if (missing)
        result.absence = absenceOf(metric, any, result.partial);
    return result;
}

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

void CellGrid::divide(int rows, int columns)
{
    row_edges = edges(plot.y, plot.height, rows);
    column_edges = edges(plot.x, plot.width, columns);
}

Rect CellGrid::cell(int row, int column) const
{
    const auto line = static_cast<std::size_t>(row);
    const auto col = static_cast<std::size_t>(column);
    return {column_edges[col], row_edges[line], column_edges[col + 1] - column_edges[col] - gap,
            row_edges[line + 1] - row_edges[line] - gap};
}

std::optional<GridCell> CellGrid::hit(Point point) const
{
    const auto row = slotOf(row_edges, point.y);
    const auto column = slotOf(column_edges, point.x);
    return row && column ? std::optional(GridCell{*row, *column}) : std::nullopt;
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
    g.divide(data.layers, columns);
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
                                  const HeatmapStyle& style)
{
    TokenGridGeometry result;
    const double left = 5.0 * style.char_width;
    result.plot = {area.x + left, area.y, area.width - left, area.height - style.line_height};
    if (grid.empty() || result.plot.empty())
        return result;
    const auto tokens = static_cast<double>(grid.tokens.size());
    const double most = std::max(1.0, std::floor(result.plot.width / 2.0));
    result.tokens_per_column = static_cast<std::size_t>(std::ceil(tokens / most));
    const std::size_t columns =
        (grid.tokens.size() + result.tokens_per_column - 1) / result.tokens_per_column;
    result.plot.width = std::min(result.plot.width, 32.0 * static_cast<double>(columns));
    result.plot.height = std::min(result.plot.height, 48.0 * grid.layers);
    result.divide(grid.layers, static_cast<int>(columns));
    for (std::size_t column = 0; column < columns; ++column) {
        const std::size_t first = column * result.tokens_per_column;
        const std::size_t last = std::min(first + result.tokens_per_column, grid.tokens.size());
        for (int layer = 0; layer < grid.layers; ++layer) {
            double sum = 0.0;
            int count = 0;
            for (std::size_t token = first; token < last; ++token) {
                if (const auto value = grid.at(token, layer)) {
                    sum += *value;
                    ++count;
                }
            }
            result.values.push_back(count > 0 ? std::optional(sum / count) : std::nullopt);
        }
    }
    const Rect& plot = result.plot;
    const auto ticks = [](double count, double length, double spacing) {
        const double room = std::max(1.0, std::floor(length / spacing));
        return std::max(1.0, niceStep(count, static_cast<int>(room)));
    };
    const double each = plot.width / static_cast<double>(columns);
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
