// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/viz/axis.h"
#include "ep/viz/geometry.h"
#include "ep/viz/token_cost.h"
#include "ep/viz/waterfall.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ep::viz {

// Tokens (across) x layers (down). An absent value is missing, not zero.
struct TokenGrid {
    CostMetric metric = CostMetric::Time;
    std::vector<std::int32_t> tokens; // token indices
    int layers = 0;
    std::vector<std::optional<double>> values; // token by token
    Provenance provenance = Provenance::Missing;
    // Range of the colour scale: that of decoded tokens, because the prefill would dwarf them.
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

// Cells of the image. With more tokens than pixel columns, adjacent tokens share a column that
// shows their mean.
struct TokenGridGeometry {
    Rect plot;
    std::size_t columns = 0;
    std::size_t tokens_per_column = 1;
    std::vector<std::optional<double>> values; // columns x layers, column by column
    std::vector<Tick> tokens; // below the cells
    std::vector<Tick> layers; // left of the cells; labels are layer numbers

    struct Cell {
        std::size_t token = 0; // the first token of its column, as an index in the grid
        int layer = 0;

        bool operator==(const Cell&) const = default;
    };
    bool empty() const { return columns == 0; }
    std::optional<Cell> hit(Point point) const;
    Rect cellOf(Cell cell) const;

    std::size_t token_count = 0;
    int layer_count = 0;
};
TokenGridGeometry layoutTokenGrid(const TokenGrid& grid, const Rect& area,
                                  const WaterfallStyle& style);
Message summarize(const TokenGrid& grid);

} // namespace ep::viz
