// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/energy/comparison.h"
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
// Runs of one model share its peculiarities, so ten of them are not ten independent observations
// for a law over models. Repeats (one cluster, one x) are averaged to one point. If a cluster has
// several points, the interval is the larger of the usual one and the one from sums of residuals
// over clusters (Cameron & Miller 2015, A Practitioner's Guide to Cluster-Robust Inference, eq. 11
// with its correction for few clusters), with clusters - 2 degrees of freedom. With fewer than
// three clusters, the law only applies to these models, and each point counts on its own.
struct PowerLaw {
    double exponent = 0.0;
    double factor = 0.0;
    std::optional<Interval> exponent_ci95{}; // Student's t with n - 2; requires 3 points
    double r2 = 0.0; // for the logarithms
    std::int64_t n = 0; // number of runs
    std::int64_t points = 0; // after averaging repeats
    std::int64_t clusters = 0;
    double mean_log_x = 0.0; // with the three below: defines the band of the curve
    double sxx = 0.0;
    double residual_sd = 0.0;
    double t_quantile = 0.0; // 97.5 % quantile; 0 if there is no interval

    bool operator==(const PowerLaw&) const = default;
    double at(double x) const;
    std::optional<Interval> bandAt(double x) const; // 95 % band of the curve, not of single runs
    // Whether the runs support the law: its direction is certain, and it explains half of the
    // scatter. Otherwise it must not be stated.
    bool holds() const;
};
// Leaves out pairs that are not positive. Absent with fewer than 3 different x. `clusters`: the
// model of each run; empty: each run is a cluster.
std::optional<PowerLaw> fitPowerLaw(const std::vector<double>& x, const std::vector<double>& y,
                                    const std::vector<std::string>& clusters = {});

// Indices of the runs on the Pareto front: no other run has more x (throughput) and less y
// (energy). Sorted by x.
std::vector<std::size_t> paretoFront(const std::vector<double>& x, const std::vector<double>& y);
// Index into the front of the point furthest from the line between its ends, with both axes scaled
// to 0..1. Absent with fewer than 3 points.
std::optional<std::size_t> kneeOf(const std::vector<std::size_t>& front,
                                  const std::vector<double>& x, const std::vector<double>& y);

// A number of a run that its figures may depend on.
enum class RunFeature : std::uint8_t {
    Parameters, // parameters that one token uses
    Layers,
    HiddenSize,
    InputTokens, // of each sequence
    OutputTokens,
    BatchSize,
    BitsPerWeight, // in memory, including the scales of quantized weights
};
inline constexpr std::size_t kRunFeatureCount = 7;
std::string_view title(RunFeature feature);
std::optional<double> valueOf(RunFeature feature, const RunInfo& info);

// "SmolLM2-135M, transformers 5.24.0": the model and, where it was not this program, the engine
// that ran it. Runs of different engines are not repeats of one another.
std::string modelAndEngine(const RunInfo& info);

// Properties that may differ between compared runs, in addition to the examined one.
struct MayDiffer {
    bool model = false;
    bool format = false;
};
// The runs of the most frequent model and number format, unless these may differ.
std::vector<const RunSummary*> alikeBut(MayDiffer differ,
                                        const std::vector<const RunSummary*>& runs);
MayDiffer differingWith(RunFeature feature);

// A property by which runs are grouped.
enum class RunGrouping : std::uint8_t { Model, NumberFormat, Attention, Device, BatchSize };
inline constexpr std::size_t kRunGroupingCount = 5;
std::string_view title(RunGrouping grouping);
std::string groupOf(RunGrouping grouping, const RunInfo& info); // "GQA", "bf16"; empty: unknown
MayDiffer differingWith(RunGrouping grouping);

// Origin of a run's joules, as far as it matters for averaging or ranking runs together:
// "measured" (also attributed and calibrated), "modelled", "simulated", "replayed", "imported";
// empty without energy.
std::string_view energyOrigin(const RunSummary& run);

struct InsightGroup {
    std::string name;
    SampleStatistics statistics; // statistics of the figure; groups are sorted by mean, best first
    Provenance provenance = Provenance::Missing; // the worst provenance
    std::string source{}; // source of the power, if all runs share it

    bool operator==(const InsightGroup&) const = default;
};
// For a figure that needs energy, runs of different energyOrigin() are never in one group; if
// there are several origins, the names of the groups state them.
std::vector<InsightGroup> groupBy(RunGrouping grouping, RunFigure metric,
                                  const std::vector<const RunSummary*>& runs);

// Cost of a decoded token relative to that of an input token, over runs that have both.
struct TokenCosts {
    SampleStatistics input; // joules
    SampleStatistics decoded;
    double ratio() const { return decoded.mean / input.mean; }

    bool operator==(const TokenCosts&) const = default;
};
// The ratio in the study that the user guide quotes; for reference only, not measured here.
inline constexpr double kLiteratureTokenCostRatio = 11.0;
std::optional<TokenCosts> tokenCosts(const std::vector<const RunSummary*>& runs);

} // namespace ep::energy
