// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/viz/axis.h"
#include "ep/viz/geometry.h"
#include "ep/viz/token_cost.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ep::viz {

// Displayed tokens, as indices in TokenCosts: [first, last).
struct TokenWindow {
    std::size_t first = 0;
    std::size_t last = 0;

    bool operator==(const TokenWindow&) const = default;
    std::size_t size() const { return last > first ? last - first : 0; }
};

// Clamps the window to [0, count), with at least 8 tokens if that many exist.
TokenWindow clampedWindow(TokenWindow window, std::size_t count);
// A factor below 1 zooms in. The token at `anchor` (0..1 of the width) keeps its position.
TokenWindow zoomedWindow(TokenWindow window, double anchor, double factor, std::size_t count);
TokenWindow pannedWindow(TokenWindow window, std::int64_t by, std::size_t count);

struct WaterfallStyle {
    double char_width = 7.0;
    double line_height = 16.0;
    double least_bar = 4.0; // pixels; if there are too many tokens for this, several share a bar
    double margin = 8.0;
};

// One bar: a token, or the mean of several adjacent tokens.
struct WaterfallBar {
    TokenWindow tokens;
    Rect rect; // the full height of the plot, clickable
    std::array<Rect, kRunPartCount> segments{}; // from the bottom; empty for parts without a value
    std::optional<double> value; // mean of the tokens that have a value
    double least = 0.0; // minimum of the tokens of the bar
    double most = 0.0;
    double top = 0.0; // y coordinate of the value
    bool clipped = false; // whether the bar is higher than the axis
    bool disturbed = false; // other programs disturbed one of its tokens
    double cumulative = 0.0; // sum of all tokens up to the last of this bar
};

struct WaterfallGeometry {
    Rect plot;
    std::vector<WaterfallBar> bars;
    std::vector<Point> cumulative; // the line over the bars, for the right axis
    std::vector<Tick> values; // left
    std::vector<Tick> sums; // right
    std::vector<Tick> tokens; // bottom
    double ceiling = 1.0; // upper end of the left axis
    double sum_ceiling = 1.0;
    std::size_t tokens_per_bar = 1;
    bool all_missing = false;

    bool empty() const { return bars.empty(); }
    std::optional<std::size_t> hit(Point point) const; // a bar
    std::optional<std::size_t> barOf(std::size_t token) const;
};

// The bars of the prefill and of outliers are clipped if they would dwarf the others.
WaterfallGeometry layoutWaterfall(const TokenCosts& costs, TokenWindow window, const Rect& area,
                                  const WaterfallStyle& style);

// Value against position: a point for each decoded token, and the regression line.
struct TrendGeometry {
    struct Dot {
        std::size_t token = 0; // index in TokenCosts
        Point at;
        bool anomalous = false; // relative to the regression line
        bool above = false; // the value is above the axis; `at` is at the upper edge
    };
    Rect plot;
    std::vector<Dot> dots;
    std::vector<Tick> values;
    std::vector<Tick> positions;
    std::optional<TrendLine> line;
    Point line_begin;
    Point line_end;
    double ceiling = 1.0;

    bool empty() const { return dots.empty(); }
    std::optional<std::size_t> hit(Point point) const; // index of the nearest dot within 8 pixels
};
TrendGeometry layoutTrend(const TokenCosts& costs, const Rect& area, const WaterfallStyle& style);

// Bins as bars, with a line for a threshold.
struct HistogramGeometry {
    Rect plot;
    std::vector<Rect> bars; // one per bin; height by count
    std::vector<Tick> counts;
    std::vector<Tick> values;

    bool empty() const { return bars.empty(); }
    std::optional<std::size_t> hit(Point point) const; // the bin whose column contains the point
    double toX(const TokenHistogram& histogram, double value) const;
};
HistogramGeometry layoutHistogram(const TokenHistogram& histogram, CostMetric metric,
                                  const Rect& area, const WaterfallStyle& style);

} // namespace ep::viz
