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

// Tokens that are shown, as places in TokenCosts: [first, last).
struct TokenWindow {
    std::size_t first = 0;
    std::size_t last = 0;

    bool operator==(const TokenWindow&) const = default;
    std::size_t size() const { return last > first ? last - first : 0; }
};

// Inside [0, count), at least `least` long where there are so many.
TokenWindow clampedWindow(TokenWindow window, std::size_t count, std::size_t least = 8);
// factor below 1: closer. The token at `anchor` (0..1 of the width) stays where it is.
TokenWindow zoomedWindow(TokenWindow window, double anchor, double factor, std::size_t count);
TokenWindow pannedWindow(TokenWindow window, std::int64_t by, std::size_t count);

struct WaterfallStyle {
    double char_width = 7.0;
    double line_height = 16.0;
    double least_bar = 4.0; // pixels; with more tokens than that allows, several share a bar
    double margin = 8.0;
};

// One bar: a token, or several neighbours of which it shows the mean.
struct WaterfallBar {
    TokenWindow tokens;
    Rect rect; // the whole height of the plot, which takes clicks
    std::array<Rect, kPartCount> segments{}; // from the bottom; empty where a part has nothing
    std::optional<double> value; // mean of those that have one
    double least = 0.0; // of the tokens of the bar
    double most = 0.0;
    double top = 0.0; // y of the value
    bool clipped = false; // higher than the axis
    double cumulative = 0.0; // of all tokens up to the last of this bar
};

struct WaterfallGeometry {
    Rect plot;
    std::vector<WaterfallBar> bars;
    std::vector<Point> cumulative; // a line over the bars, on the right axis
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

// The prefill would drown the others where it costs many times as much: its bar is clipped then.
WaterfallGeometry layoutWaterfall(const TokenCosts& costs, TokenWindow window, const Rect& area,
                                  const WaterfallStyle& style);

// Value against position, a point for each decoded token, with the line that fits them.
struct TrendGeometry {
    struct Dot {
        std::size_t token = 0; // place in TokenCosts
        Point at;
        bool anomalous = false; // against the line
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
    std::optional<std::size_t> hit(Point point) const; // a dot, the nearest within 8 pixels
};
TrendGeometry layoutTrend(const TokenCosts& costs, const Rect& area, const WaterfallStyle& style);

// Classes as bars, with the line of a threshold.
struct HistogramGeometry {
    Rect plot;
    std::vector<Rect> bars; // of each class; as high as it is full
    std::vector<Tick> counts;
    std::vector<Tick> values;

    bool empty() const { return bars.empty(); }
    std::optional<std::size_t> hit(Point point) const; // the class whose column contains it
    double toX(const TokenHistogram& histogram, double value) const;
    double toValue(const TokenHistogram& histogram, double x) const;
};
HistogramGeometry layoutHistogram(const TokenHistogram& histogram, CostMetric metric,
                                  const Rect& area, const WaterfallStyle& style);

} // namespace ep::viz
