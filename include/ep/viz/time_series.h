// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/time_range.h"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace ep::viz {

// What is known of a stretch of a series. No samples: covered_ns 0, min and max meaningless.
struct SeriesSummary {
    double min = 0.0;
    double max = 0.0;
    double integral = 0.0; // value x seconds over the covered part
    Nanoseconds covered_ns = 0; // time that lies inside a sample with a value

    bool empty() const { return covered_ns <= 0; }
    double mean() const { return integral / toSeconds(covered_ns); } // only when not empty()
    bool operator==(const SeriesSummary&) const = default;
};

// One pixel column.
struct SeriesColumn {
    TimeRange time;
    SeriesSummary summary;
};

// A growing series of values that each hold over a window of time, with a pyramid of minimum,
// maximum and integral (factor 16) so that any range at any width costs O(columns x log n).
// append() is amortised O(1). Not synchronised: one thread owns it.
class TimeSeries {
public:
    void clear();

    // Windows must come in order of begin and not overlap the one before; an overlap is cut off the
    // front of the new window, and a window of which nothing is left is ignored (returns false).
    // A missing value keeps its window as a gap.
    bool append(TimeRange window, std::optional<double> value);

    std::size_t size() const { return m_begin.size(); }
    bool empty() const { return m_begin.empty(); }
    TimeRange time() const; // from the first begin to the last end; empty when there is nothing
    TimeRange window(std::size_t index) const { return {m_begin[index], m_end[index]}; }
    std::optional<double> value(std::size_t index) const;
    std::optional<std::size_t> indexAt(Nanoseconds time) const; // sample whose window contains it
    std::size_t firstFrom(Nanoseconds time) const; // the first that begins then or later; or size()

    // Samples that straddle an end count for min and max, and in proportion for the integral.
    SeriesSummary summary(TimeRange range) const;
    std::vector<SeriesColumn> columns(TimeRange range, int count) const;
    // For painting many columns: the samples [first, last) that touch each, which series with the
    // same windows share; a column below a nanosecond has those of its begin.
    using Samples = std::pair<std::size_t, std::size_t>;
    std::vector<Samples> columnSamples(TimeRange range, int count) const;
    // Smallest and largest value among them. Of many samples the ends are moved by less than a
    // sixteenth of them, to whole nodes of the pyramid.
    SeriesSummary envelope(Samples samples) const; // its integral is of those samples
    // The first sample that holds the maximum of the range.
    std::optional<std::size_t> peak(TimeRange range) const;

    // Stretches longer than `minimum` inside the series' time without any value.
    std::vector<TimeRange> gaps(Nanoseconds minimum) const;

    // Points (nanoseconds, value) of a line with at most `maxPoints` points over the range: each
    // sample when they fit, else minimum and maximum of each column in order. Runs are separated
    // where a gap longer than `minimumGap` lies between.
    struct LinePoint {
        Nanoseconds time = 0;
        double value = 0.0;

        bool operator==(const LinePoint&) const = default;
    };
    std::vector<std::vector<LinePoint>> lines(TimeRange range, int maxPoints,
                                              Nanoseconds minimumGap) const;

private:
    struct Node {
        double min = 0.0;
        double max = 0.0;
        double integral = 0.0;
        Nanoseconds covered_ns = 0;
    };
    static constexpr std::size_t kFactor = 16;

    Node leaf(std::size_t index) const;
    // How many levels of the pyramid a node may have that begins with `first` and ends by `last`.
    std::size_t levelsAt(std::size_t first, std::size_t last) const;
    Node wholeSamples(std::size_t first, std::size_t last) const; // [first, last)
    SeriesSummary summaryOf(TimeRange range, std::size_t first, std::size_t last) const;
    std::size_t firstTouching(Nanoseconds begin, std::size_t from) const; // ends after `begin`
    std::size_t firstAfter(Nanoseconds end, std::size_t from) const; // begins at or after `end`

    std::vector<Nanoseconds> m_begin;
    std::vector<Nanoseconds> m_end;
    std::vector<double> m_value; // NaN where missing
    std::vector<std::vector<Node>> m_levels; // [0] groups 16 samples; the last node may be partial
};

} // namespace ep::viz
