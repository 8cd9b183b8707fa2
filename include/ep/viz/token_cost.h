// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/viz/cost.h"
#include "ep/viz/part.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ep::viz {

// One step of the generation and where its cost went.
struct TokenCost {
    std::int32_t index = 0;
    std::int32_t position = 0;
    Phase phase = Phase::Decode;
    std::string text;
    Tally cost;
    std::optional<double> value; // of the metric; absent: missing
    std::array<std::optional<double>, kPartCount> parts{}; // absent: the token has no such part
};

struct TokenCosts {
    CostMetric metric = CostMetric::Time;
    std::vector<TokenCost> tokens;
    Provenance provenance = Provenance::Missing; // the worst of those that have a value
    bool split = false; // the layers are split into components
};

// parts: null while they are not known; the layers of a token are one part then.
TokenCosts buildTokenCosts(const Run& run, const RunBreakdown* parts, CostMetric metric);

// Value by position over the decoded tokens: least squares, value = at_zero + slope x position,
// without the tokens that are anomalies (kAnomalyZ) against the line through all.
struct TrendLine {
    double at_zero = 0.0;
    double slope = 0.0; // of one position
    double slope_error = 0.0; // standard error
    double r2 = 0.0; // share of the variance that the line explains
    std::size_t tokens = 0; // that it was fitted to
    std::size_t left_out = 0;

    double at(double position) const { return at_zero + slope * position; }
};
// Absent below three tokens with a value, or where all stand at one position.
std::optional<TrendLine> fitTrend(const TokenCosts& costs);

// Values of the decoded tokens in classes of equal width.
struct TokenHistogram {
    double low = 0.0; // of the first class
    double width = 1.0; // of a class
    std::vector<std::vector<std::int32_t>> classes; // tokens in each
    double median = 0.0;
    double mad = 0.0; // median absolute deviation
    int missing = 0; // tokens without a value

    std::size_t largest() const; // tokens of the fullest class
};
// Freedman and Diaconis' width, at most `most` classes; empty without a value.
TokenHistogram buildHistogram(const TokenCosts& costs, std::size_t most = 40);

// Robust z-score, 0.6745 x (value - median) / MAD (Iglewicz and Hoaglin 1993); above 3.5 either way
// is an anomaly. With a MAD of 0 the mean absolute deviation x 1.2533 stands in its place.
inline constexpr double kAnomalyZ = 3.5;
struct RobustScale {
    double median = 0.0;
    double sigma = 0.0; // what z is measured in; 0: no value differs

    double z(double value) const { return sigma > 0.0 ? (value - median) / sigma : 0.0; }
    bool anomalous(double value) const { return z(value) > kAnomalyZ || z(value) < -kAnomalyZ; }
};
RobustScale robustScale(std::vector<double> values);

} // namespace ep::viz
