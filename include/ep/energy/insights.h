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

// Relations over many runs. Pure functions of summaries; each result includes the number of runs it
// is based on.
namespace ep::energy {

// y = factor x x^exponent, least squares of the logarithms.
//
// Runs of one model share what is special about it, so that ten of them are not ten witnesses of a
// law over models: repeats (one cluster, one x) are averaged to one point, and if a cluster has
// several points, the interval is the larger of the usual one and the one by sums of residuals over
// clusters (Cameron & Miller 2015, A Practitioner's Guide to Cluster-Robust Inference, eq. 11 with
// its correction for few clusters), with clusters - 2 degrees of freedom. Below three clusters the
// law is one of these models alone, and each point is its own.
struct PowerLaw {
    double exponent = 0.0;
    double factor = 0.0;
    std::optional<Interval> exponent_ci95{}; // Student's t with n - 2; from 3 points on
    double r2 = 0.0; // of the logarithms
    std::int64_t n = 0; // runs
    std::int64_t points = 0; // after averaging repeats
    std::int64_t clusters = 0;
    double mean_log_x = 0.0; // with the three below: the band of the curve
    double sxx = 0.0;
    double residual_sd = 0.0;
    double t_quantile = 0.0; // 0.975; 0 where there is no interval

    bool operator==(const PowerLaw&) const = default;
    double at(double x) const;
    std::optional<Interval> bandAt(double x) const; // 95 % band of the curve, not of single runs
};
// Pairs that are not positive are left out. Absent with fewer than 3 different x. `clusters`: the
// model of each run; empty: each run stands for itself.
std::optional<PowerLaw> fitPowerLaw(const std::vector<double>& x, const std::vector<double>& y,
                                    const std::vector<std::string>& clusters = {});

// Indices of the runs on the Pareto front: no other run has both more x (throughput) and less y
// (energy). Sorted by x.
std::vector<std::size_t> paretoFront(const std::vector<double>& x, const std::vector<double>& y);
// Index into the front of the point furthest from the line between its ends, both axes scaled to
// 0..1. Absent with fewer than 3 points.
std::optional<std::size_t> kneeOf(const std::vector<std::size_t>& front,
                                  const std::vector<double>& x, const std::vector<double>& y);

// A number of a run that figures may depend on.
enum class RunFeature : std::uint8_t {
    Parameters, // parameters used by one token
    Layers,
    HiddenSize,
    InputTokens, // of each sequence
    OutputTokens,
    BatchSize,
    BitsPerWeight, // in memory, scales of quantized weights included
};
inline constexpr std::size_t kRunFeatureCount = 7;
std::string_view title(RunFeature feature);
std::optional<double> valueOf(RunFeature feature, const RunInfo& info);

// A property by which runs are grouped.
enum class RunGrouping : std::uint8_t { Model, NumberFormat, Attention, Device, BatchSize };
inline constexpr std::size_t kRunGroupingCount = 5;
std::string_view title(RunGrouping grouping);
std::string groupOf(RunGrouping grouping, const RunInfo& info); // "GQA", "bf16"; empty: unknown

// Where the joules of a run come from, as far as it matters for what may be averaged or ranked
// together: "measured" (also attributed and calibrated), "modelled", "simulated", "replayed",
// "imported"; empty without energy.
std::string_view energyOrigin(const RunSummary& run);

struct InsightGroup {
    std::string name;
    SampleStatistics statistics; // of the figure; sorted by its mean, the best first
    Provenance provenance = Provenance::Missing; // the worst
    std::string source{}; // of the power, if all runs have the same

    bool operator==(const InsightGroup&) const = default;
};
// Runs of different energyOrigin() are never in one group of a figure that needs energy: where
// there are several, the names of the groups say which.
std::vector<InsightGroup> groupBy(RunGrouping grouping, RunFigure metric,
                                  const std::vector<const RunSummary*>& runs);

// Cost of a decoded token relative to an input token, over runs that have both.
struct TokenCosts {
    SampleStatistics ratio; // decoded / input, of each run
    SampleStatistics input; // joules
    SampleStatistics decoded;

    bool operator==(const TokenCosts&) const = default;
};
// About 11 in the study quoted in the user guide; a reference, not a property of any run.
inline constexpr double kLiteratureTokenCostRatio = 11.0;
std::optional<TokenCosts> tokenCosts(const std::vector<const RunSummary*>& runs);

} // namespace ep::energy
