// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/time_range.h"

#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace ep::viz {

// Summary of a range of a series. If it has no samples (covered_ns 0), min and max are undefined.
struct SeriesSummary {
    double min = 0.0;
    double max = 0.0;
    double integral = 0.0; // value x seconds over the covered part
    Nanoseconds covered_ns = 0; // time inside samples with a value

    bool empty() const { return covered_ns <= 0; }
    double mean() const { return integral / toSeconds(covered_ns); } // requires !empty()
    bool operator==(const SeriesSummary&) const = default;
};

// The smallest and the largest value, if there are any.
struct SeriesExtremes {
    double min = std::numeric_limits<double>::infinity();
    double max = -std::numeric_limits<double>::infinity();

    bool empty() const { return min > max; }
    void take(double smallest, double largest) // has no effect if the values are not numbers
    {
        if (smallest < min)
            min = smallest;
        if (largest > max)
            max = largest;
    }
};

// The summary of one pixel column.
struct SeriesColumn {
    TimeRange time;
    SeriesSummary summary;
};

// A growing series of values, each valid over a window of time, with a pyramid of minimum,
// maximum and integral (factor 16), so that any range at any width costs O(columns x log n).
// append() is amortised O(1). Not synchronised: owned by one thread.
class TimeSeries {
public:
    void clear();

    // Windows must be in order of their start and must not overlap. An overlap is cut off the
    // front of the new window; a window that becomes empty is ignored (returns false). A missing
    // value makes its window a gap.
    bool append(TimeRange window, std::optional<double> value);

    std::size_t size() const { return m_begin.size(); }
    bool empty() const { return m_begin.empty(); }
    TimeRange time() const; // from the first begin to the last end; empty without samples
    TimeRange window(std::size_t index) const { return {m_begin[index], m_end[index]}; }
    std::optional<double> value(std::size_t index) const;
    std::optional<std::size_t> indexAt(Nanoseconds time) const; // sample whose window holds `time`
    std::size_t firstFrom(Nanoseconds time) const; // first to begin at or after `time`, or size()

    // Samples across an end count fully for min and max, in proportion for the integral.
    SeriesSummary summary(TimeRange range) const;
    std::vector<SeriesColumn> columns(TimeRange range, int count) const;
    // For painting many columns: the samples [first, last) that overlap each column, valid for all
    // series with the same windows. A column shorter than a nanosecond has the samples at
    // its begin.
    using Samples = std::pair<std::size_t, std::size_t>;
    std::vector<Samples> columnSamples(TimeRange range, int count) const;
    // The smallest and the largest value of the samples. With many samples, the ends are moved by
    // less than a sixteenth of them, to whole nodes of the pyramid.
    SeriesExtremes envelope(Samples samples) const;
    void prefetch(Samples samples) const; // loads what envelope() will read into the caches
    // The first sample with the maximum of the range.
    std::optional<std::size_t> peak(TimeRange range) const;

    // Ranges longer than `minimum` without any value, within the time of the series.
    std::vector<TimeRange> gaps(Nanoseconds minimum) const;

    // Points (nanoseconds, value) of a line with at most `maxPoints` points over the range: the
    // beginning and end of every sample if they fit, so that the area below the line is the
    // integral; otherwise the minimum and maximum of each column in order. Gaps longer than
    // `minimumGap` divide the line into runs.
    struct LinePoint {
        Nanoseconds time = 0;
        double value = 0.0;

        bool operator==(const LinePoint&) const = default;
    };
    std::vector<std::vector<LinePoint>> lines(TimeRange range, int maxPoints,
                                              Nanoseconds minimumGap) const;

private:
    struct Amount {
        double integral = 0.0;
        Nanoseconds covered_ns = 0;
    };
    struct Node {
        SeriesExtremes extremes;
        Amount amount;

        void add(const Node& other);
    };
    // Extremes and amounts are stored separately, because painting reads very many extremes but no
    // integrals.
    struct Level {
        std::vector<SeriesExtremes> extremes;
        std::vector<Amount> amounts;

        Node node(std::size_t index) const { return {extremes[index], amounts[index]}; }
        void push(const Node& node);
        void add(std::size_t index, const Node& node);
    };
    static constexpr std::size_t kFactor = 16;

    // The size of the nodes that envelope() reads: their levels, and how many samples each covers.
    struct Grain {
        std::size_t levels = 0;
        std::size_t samples = 1;
    };
    static Grain grainOf(Samples samples);

    Node leaf(std::size_t index) const;
    Node node(std::size_t levels, std::size_t index) const; // node of that many levels; 0: a sample
    // Levels of the largest node that begins at `first` and does not exceed `last`; 0: one sample.
    std::size_t levelsAt(std::size_t first, std::size_t last) const;
    Node wholeSamples(std::size_t first, std::size_t last) const; // [first, last)
    SeriesSummary summaryOf(TimeRange range, std::size_t first, std::size_t last) const;
    // The first sample that ends after `begin`; fast if the guess is right.
    std::size_t firstTouching(Nanoseconds begin, std::size_t from, std::size_t guess = 0) const;
    std::size_t firstAfter(Nanoseconds end, std::size_t from) const; // first with begin >= end

    std::vector<Nanoseconds> m_begin;
    std::vector<Nanoseconds> m_end;
    std::vector<double> m_value; // NaN if missing
    std::vector<Level> m_levels; // [0] groups 16 samples; the last node may be partial
};

} // namespace ep::viz
