// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/core/run_tree.h"
#include "ep/viz/axis.h"
#include "ep/viz/geometry.h"
#include "ep/viz/metric.h"
#include "ep/viz/token_cost.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ep::viz {

// How the tokens of a cell are reduced to one number. Activation figures are never summed: they
// are always means (the maximum for ActivationMax), as are figures of operations, over the
// operations of the component that have the figure, with figures per head averaged over the heads.
// Power is energy / time. Recent is a mean in which the weight of a token halves every kFadeTokens
// tokens; for totals, which have no order, it is the mean. Median is the mean of values that are
// medians already, as in a typical token (energy/aggregate.h).
enum class CellReduction : std::uint8_t { Mean, Sum, Recent, Median };
inline constexpr double kFadeTokens = 4.0;

// Why values of a heatmap are missing: for all its cells, or for those that lack a value.
enum class Absence : std::uint8_t {
    None,
    NoEnergy, // no power source covers the spans
    NoBaseline, // net energy needs the idle power, which was not measured
    BelowIdle, // the idle machine needs more in the same time
    Depth, // the profiling depth of the run does not include the figure
    Pending, // still being summed
    NotRecorded,
    NotHere, // only other cells have the figure: a norm has no entropy
};

// Facts about the run that its spans do not contain.
struct HeatmapFacts {
    std::optional<Milliwatts> idle; // idle power of the machine
    Depth depth = Depth::Deep;
    bool pending = false; // the figures of operations have not arrived yet

    bool operator==(const HeatmapFacts&) const = default;
};

// Layers (rows) x components (columns). An absent value is missing, not zero. Rows are in layer
// order unless they were sorted.
struct HeatmapData {
    HeatmapMetric metric = HeatmapMetric::TimeMs;
    CellReduction reduction = CellReduction::Mean;
    int layers = 0;
    std::vector<Component> components; // components that occur, in the order of the enumeration
    std::vector<std::optional<double>> values; // row-major, layers x components, unit(metric)
    std::vector<int> row_layers; // layer of each row; empty: row and layer are the same
    Provenance provenance = Provenance::Missing; // the worst of all values
    int tokens = 0; // number of tokens included
    Absence absence = Absence::None; // reason for missing values
    bool partial = false; // some spans had no energy: sums are lower bounds

    bool operator==(const HeatmapData&) const = default;
    bool empty() const { return values.empty(); }
    bool allMissing() const; // whether there are cells but no values
    std::optional<double> at(int row, int column) const;
    std::optional<double> rowMean(int row) const; // mean of the existing cells
    std::optional<double> columnMean(int column) const;
    std::optional<double> smallest() const;
    std::optional<double> largest() const;
    int columnOf(Component component) const; // -1 when absent
    int layerOf(int row) const;
    int rowOf(int layer) const; // -1 when absent

    void sortRows(); // by descending mean; rows without a value come last
};

// The values at both ends of the colours. Values that cannot be negative start at zero, so that a
// colour is proportional to its value.
struct HeatmapScale {
    double low = 0.0;
    double high = 0.0;
    bool exceeded = false; // some values exceed `high` and have its colour

    double fraction(double value) const;
};
// fixedHigh: the upper end; without it, one is chosen for the data.
HeatmapScale scaleOf(const HeatmapData& data, std::optional<double> fixedHigh = {});

// A sentence for assistive technology naming the largest cell and its share.
Message summarize(const HeatmapData& data);

struct HeatmapCell : CellSum {
    // Sums in which older tokens count less, all with the same weights.
    double recent_time_ms = 0.0;
    double recent_energy_mj = 0.0;
    double recent_energy_time_ms = 0.0;
    double recent_weight = 0.0;
    double recent_energy_weight = 0.0;
};

// Collects component spans token by token. Not synchronised: owned by one thread.
class HeatmapAccumulator {
public:
    void clear();

    // Adds the spans of one token. `energy` is the provenance of the token's energy; that of a
    // component is Attributed at best, because it only has a share of this energy.
    void add(std::span<const Span> spans, Provenance energy);
    void add(const RunTrace& trace); // every token, each with its own provenance
    void add(std::span<const ComponentTotal> totals); // totals of a complete run
    // Adds only the figures of the operations; their components are added separately.
    void add(std::span<const Span> operations);
    void add(std::span<const RunBreakdown::OfExtras> extras); // extras of a complete run
    void setFacts(const HeatmapFacts& facts);
    const HeatmapFacts& facts() const { return m_facts; }

    HeatmapData data(HeatmapMetric metric, CellReduction reduction) const;
    int tokens() const { return m_tokens; }

private:
    using Cell = HeatmapCell;

    Cell& cellOf(std::int32_t layer, Component component);
    std::optional<double> valueOf(const Cell& cell, HeatmapMetric metric,
                                  CellReduction reduction) const;
    std::optional<double> energyOf(const Cell& cell, HeatmapMetric metric,
                                   CellReduction reduction) const;
    Absence absenceOf(HeatmapMetric metric, bool any, bool partial) const;

    HeatmapFacts m_facts;
    SumsByKey<Cell> m_cells;
    int m_tokens = 0;
};

// Sizes in logical pixels, derived from the current font.
struct HeatmapStyle {
    double char_width = 7.0;
    double line_height = 16.0;
    double margin = 8.0;
    double gap = 1.0; // between cells, omitted if cells are small
    double legend_height = 34.0;
    double corner_width = 0.0; // width of the widest word in the corner of the headers
};

// Cells in rows and columns. Edges are at whole pixels, so that cells never blur or overlap.
struct GridCell {
    int row = 0;
    int column = 0;

    bool operator==(const GridCell&) const = default;
};
struct CellGrid {
    Rect plot; // all cells
    std::vector<double> row_edges; // rows + 1
    std::vector<double> column_edges; // columns + 1
    double gap = 0.0;

    void divide(int rows, int columns); // sets the edges
    bool empty() const { return row_edges.empty(); }
    int rows() const { return empty() ? 0 : static_cast<int>(row_edges.size()) - 1; }
    int columns() const { return empty() ? 0 : static_cast<int>(column_edges.size()) - 1; }
    Rect cell(int row, int column) const; // without the gap
    std::optional<GridCell> hit(Point point) const;
};

struct HeatmapGeometry : CellGrid {
    Rect row_header; // layer numbers, left of plot
    Rect row_means; // right of plot
    Rect column_header; // component names, above plot
    Rect column_means; // between column_header and plot
    Rect legend;
    bool cell_labels = false; // cells have room for at least 6 characters and one line
    bool vertical_names = false; // names do not fit horizontally, so they are drawn bottom to top
    int row_label_step = 1; // label every n-th layer
};

// An empty geometry if there are no cells or less than one pixel per cell.
HeatmapGeometry layoutHeatmap(const HeatmapData& data, double width, double height,
                              const HeatmapStyle& style);
// The height that the rows, names and legend can use; more would stay empty.
double tallestHeatmap(const HeatmapData& data, const HeatmapStyle& style);

// Tokens (across) x layers (down). An absent value is missing, not zero.
struct TokenGrid {
    CostMetric metric = CostMetric::Time;
    std::vector<std::int32_t> tokens; // token indices
    int layers = 0;
    std::vector<std::optional<double>> values; // token by token
    Provenance provenance = Provenance::Missing;
    // Range of the colour scale: the range of decoded tokens, because the prefill would dwarf them.
    double low = 0.0;
    double high = 0.0;
    bool exceeded = false; // outliers exceed it and have the last colour

    bool empty() const { return values.empty(); }
    bool allMissing() const;
    std::optional<double> at(std::size_t token, int layer) const
    {
        return values[token * static_cast<std::size_t>(layers) + static_cast<std::size_t>(layer)];
    }
};
TokenGrid buildTokenGrid(const Run& run, const RunBreakdown& parts, CostMetric metric);

// Rows are layers. With more tokens than pixel columns, adjacent tokens share a column that shows
// their mean.
struct TokenGridGeometry : CellGrid {
    std::size_t tokens_per_column = 1;
    std::vector<std::optional<double>> values; // column by column
    std::vector<Tick> tokens; // below the cells
    std::vector<Tick> layers; // left of the cells; labels are layer numbers
};
TokenGridGeometry layoutTokenGrid(const TokenGrid& grid, const Rect& area,
                                  const HeatmapStyle& style);
Message summarize(const TokenGrid& grid);

} // namespace ep::viz
