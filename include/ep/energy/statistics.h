// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/core/run_figure.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Statistics of repeated runs. Pure functions; random methods take a seed, with which they return
// the same result on every machine. Values must be finite.
namespace ep::energy {

struct Interval {
    double low = 0.0;
    double high = 0.0;

    bool operator==(const Interval&) const = default;
    bool contains(double value) const { return low <= value && value <= high; }
};

inline constexpr std::uint64_t kStatisticsSeed = 20'260'101;
inline constexpr std::int64_t kMinToTest = 3; // values per group; fewer have no p-value
inline constexpr double kSmallestDifference = 0.02; // relative differences up to this do not matter

// Sums in the given order, corrected twice for the mean (Chan et al. 1983).
double meanOf(std::span<const double> values); // NaN when there are none
std::optional<double>
sampleSd(std::span<const double> values); // denominator n - 1; requires n >= 2

inline constexpr double kIntervalError = 0.05; // probability that an interval misses

// Interval of the mean, Student's t. Requires n >= 2.
std::optional<Interval> studentInterval(std::span<const double> values,
                                        double error = kIntervalError);

// 95 % interval of the mean, bootstrap-t (Efron & Tibshirani 1993, ch. 12): quantiles of the
// studentised mean of resamples; resamples without spread are left out. Absent with fewer than 4
// values (3 have only 10 different resamples) or if the values do not vary.
std::optional<Interval> bootstrapInterval(std::span<const double> values,
                                          std::uint64_t seed = kStatisticsSeed);

struct SampleStatistics {
    std::int64_t n = 0;
    double mean = 0.0; // undefined without values; so are the three below
    double median = 0.0;
    double smallest = 0.0;
    double largest = 0.0;
    std::optional<double> sd{}; // requires 2 values
    std::optional<Interval> ci95{}; // interval of the mean; requires 3 values
    std::string ci_method{}; // "bootstrap-t", "Student's t", or why there is none

    bool operator==(const SampleStatistics&) const = default;
};

SampleStatistics describe(std::span<const double> values, std::uint64_t seed = kStatisticsSeed);

// Statistics of a figure as text, in the unit of the figure.
// "1.23 mJ/token (1.20 mJ to 1.26 mJ)": the mean and its 95 % interval, if there is one.
Message figureText(RunFigure figure, const SampleStatistics& sample);
// The same for a table cell, whose heading gives the denominator: "1.23 mJ (1.20 mJ to 1.26 mJ)".
Message cellText(RunFigure figure, const SampleStatistics& sample);
// "1.23 mJ/token (sd 1.2 %, n 5)": the mean, and the spread of several values.
Message spreadText(RunFigure figure, const SampleStatistics& sample);
// "1.2 %": the standard deviation relative to the mean; an em dash if it is not known.
std::string relativeSd(const SampleStatistics& sample);
// "1.20 mJ to 1.26 mJ"; an em dash without an interval.
Message intervalText(RunFigure figure, const std::optional<Interval>& interval);

// 95 % interval of the mean of a series whose neighbours depend on each other (tokens of a run):
// circular block bootstrap (Politis & Romano 1992) with blocks of Carlstein's (1986) length for
// the autocorrelation found. It describes only that series, not the next run.
struct SeriesInterval {
    double mean = 0.0;
    Interval ci95;
    std::int64_t n = 0;
    std::int64_t block = 1; // block length
    double autocorrelation = 0.0; // between neighbours

    bool operator==(const SeriesInterval&) const = default;
};
inline constexpr std::int64_t kShortestSeries = 20;
// Absent below 20 values.
std::optional<SeriesInterval> seriesInterval(std::span<const double> values,
                                             std::uint64_t seed = kStatisticsSeed);

// Lag-1 autocorrelation as defined by NIST's Statistical Reference Datasets; 0 without spread.
double autocorrelation(std::span<const double> values);

} // namespace ep::energy
