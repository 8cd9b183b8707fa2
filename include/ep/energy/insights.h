// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/energy/difference_limit.h"
#include "ep/energy/statistics.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What many runs say together. Pure functions of summaries; each answer knows how many runs it
// rests on.
namespace ep::energy {

// y = factor x x^exponent, least squares of the logarithms.
struct PowerLaw {
    double exponent = 0.0;
    double factor = 0.0;
    std::optional<Interval> exponent_ci95{}; // Student's t with n - 2; from 3 points on
    double r2 = 0.0; // of the logarithms
    std::int64_t n = 0;
    double mean_log_x = 0.0; // with the three below: the band of the curve
    double sxx = 0.0;
    double residual_sd = 0.0;
    double t_quantile = 0.0; // 0.975; 0 where there is no interval

    bool operator==(const PowerLaw&) const = default;
    double at(double x) const;
    std::optional<Interval> bandAt(double x) const; // 95 % of the curve, not of single runs
};
// Pairs that are not above zero are left out. Absent with fewer than 3 different x.
std::optional<PowerLaw> fitPowerLaw(const std::vector<double>& x, const std::vector<double>& y);

// Indices of the runs that no other run beats in both: more x (throughput) and less y (energy).
// By rising x.
std::vector<std::size_t> paretoFront(const std::vector<double>& x, const std::vector<double>& y);
// The place in the front (an index into it) furthest from the line between its ends, both axes
// scaled to 0..1. Absent below 3 points.
std::optional<std::size_t> kneeOf(const std::vector<std::size_t>& front,
                                  const std::vector<double>& x, const std::vector<double>& y);

// A number of a run that others may depend on.
enum class RunFeature : std::uint8_t {
    Parameters, // that one token uses
    Layers,
    HiddenSize,
    InputTokens, // of each sequence
    OutputTokens,
    BatchSize,
};
inline constexpr std::size_t kRunFeatureCount = 6;
std::string_view title(RunFeature feature);
std::optional<double> valueOf(RunFeature feature, const RunInfo& info);

// A word by which runs fall into groups.
enum class RunGrouping : std::uint8_t { Model, NumberFormat, Attention, Device, BatchSize };
inline constexpr std::size_t kRunGroupingCount = 5;
std::string_view title(RunGrouping grouping);
std::string groupOf(RunGrouping grouping, const RunInfo& info); // "GQA", "bf16"; empty: unknown

struct InsightGroup {
    std::string name;
    SampleStatistics statistics; // of the figure; sorted by its mean, the best first
    Provenance provenance = Provenance::Missing; // the worst

    bool operator==(const InsightGroup&) const = default;
};
std::vector<InsightGroup> groupBy(RunGrouping grouping, RunFigure metric,
                                  const std::vector<const RunSummary*>& runs);

// What a decoded token costs against an input token, over runs that have both.
struct TokenCosts {
    SampleStatistics ratio; // decoded / input, of each run
    SampleStatistics input; // joules
    SampleStatistics decoded;

    bool operator==(const TokenCosts&) const = default;
};
// About 11 times in the study that the user guide quotes; a reference, never a fact about a run.
inline constexpr double kLiteratureTokenCostRatio = 11.0;
std::optional<TokenCosts> tokenCosts(const std::vector<const RunSummary*>& runs);

} // namespace ep::energy
