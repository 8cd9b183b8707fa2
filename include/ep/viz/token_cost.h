// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/viz/cost_tree.h"
#include "ep/viz/metric.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ep::viz {

// One step of the generation and the cost of its parts.
struct TokenCost {
    std::int32_t index = 0;
    std::int32_t position = 0;
    Phase phase = Phase::Decode;
    std::string text;
    Tally cost;
    std::optional<double> value; // value of the metric; absent: missing
    std::array<std::optional<double>, kRunPartCount> parts{}; // absent: the token lacks this part
    bool disturbed = false; // disturbed by other programs (core/disturbed_tokens.h)
    // Window of the power source that holds the middle of the token; absent: none, or a metric that
    // does not come from windows.
    std::optional<std::size_t> window;
};

struct TokenCosts {
    CostMetric metric = CostMetric::Time;
    std::vector<TokenCost> tokens;
    Provenance provenance = Provenance::Missing; // the worst of the tokens with a value
    bool split = false; // whether the layers are split into components
};

// parts: null if not known yet; the layers of a token are then one part.
TokenCosts buildTokenCosts(const Run& run, const RunBreakdown* parts, CostMetric metric);

// Least-squares fit of value over position for decoded tokens: value = at_zero + slope x position.
//
// Tokens that share a window of the power source share its error, so they are one point, at their
// mean: successive tokens of the same value, and those of the same window unless 30 tokens or more
// in 10 windows or more show no correlation between neighbours. With 40 points or more, those that
// are anomalies (kAnomalyZ) relative to a fit of all are left out. Remaining correlation between
// successive residuals widens the error.
struct TrendLine {
    double at_zero = 0.0;
    double slope = 0.0; // per position
    double slope_error = 0.0; // standard error
    double slope_half = 0.0; // half of an interval that holds in 95 %, by Student's t
    double r2 = 0.0; // share of the variance explained by the fit
    std::size_t tokens = 0; // number of tokens in the fit
    std::size_t left_out = 0;

    double at(double position) const { return at_zero + slope * position; }
    // Whether the 95 % interval of the slope is on one side of zero.
    bool hasClearSlope() const { return slope > slope_half || slope < -slope_half; }
};
// Absent with fewer than three tokens that have a value, or if all have the same position.
std::optional<TrendLine> fitTrend(const TokenCosts& costs);

// Histogram of the decoded tokens with bins of equal width. Tokens above highestUsual() share a
// separate bin at the end, so that they do not compress all others into one.
struct TokenHistogram {
    double low = 0.0; // lower bound of the first bin
    double width = 1.0; // width of a bin
    double highest = 0.0; // largest of all values
    bool open_end = false; // the last bin contains everything up to `highest`
    std::vector<std::vector<std::int32_t>> classes; // tokens in each bin
    double median = 0.0;
    double mad = 0.0; // median absolute deviation
    int missing = 0; // number of tokens without a value

    std::size_t largest() const; // number of tokens in the fullest bin
};
// Uses the Freedman-Diaconis width with at most `most` bins; empty without a value.
TokenHistogram buildHistogram(const TokenCosts& costs, std::size_t most = 40);

// Robust z-score, 0.6745 x (value - median) / MAD (Iglewicz and Hoaglin 1993); a |z| above 3.5 is
// an anomaly. If the MAD is 0, the mean absolute deviation x 1.2533 is used instead.
inline constexpr double kAnomalyZ = 3.5;
struct RobustScale {
    double median = 0.0;
    double sigma = 0.0; // unit of z; 0: all values are equal

    double z(double value) const { return sigma > 0.0 ? (value - median) / sigma : 0.0; }
    bool anomalous(double value) const { return z(value) > kAnomalyZ || z(value) < -kAnomalyZ; }
};
RobustScale robustScale(std::vector<double> values);

// The upper end of an axis on which most values can be told apart: the largest value or, with at
// least ten values, the largest that is not an anomaly if that is less than a third of the largest.
// 0 without values. Colours end at scaleTop() (colour.h).
double highestUsual(const std::vector<double>& values);

} // namespace ep::viz
