// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/time_series.h"

#include <algorithm>
#include <cmath>

// What a chart of a given width needs: columns of pixels, gaps, lines.
namespace ep::viz {

std::vector<TimeSeries::Samples> TimeSeries::columnSamples(TimeRange range, int count) const
{
    std::vector<Samples> result;
    if (count <= 0 || range.empty())
        return result;
    if (empty()) {
        result.resize(static_cast<std::size_t>(count));
        return result;
    }
    constexpr std::size_t kColumnsAhead = 4;
    result.reserve(static_cast<std::size_t>(count));
    const Nanoseconds quotient = range.duration_ns() / count;
    const Nanoseconds remainder = range.duration_ns() % count;
    std::size_t first = firstTouching(range.begin_ns, 0);
    std::size_t usual = 0; // samples of the previous column; most have about as many
    for (Nanoseconds i = 0; i < count; ++i) {
        const Nanoseconds begin = range.begin_ns + quotient * i + remainder * i / count;
        const Nanoseconds end = range.begin_ns + quotient * (i + 1) + remainder * (i + 1) / count;
        first = firstTouching(begin, first);
        // The last sample of this column straddles its end, if there is one.
        std::size_t last = firstTouching(std::max(end, begin + 1), first, first + usual);
        usual = last - first;
        // Steps between columns are too wide for the hardware's prefetcher.
        const std::size_t soon = std::min(last + kColumnsAhead * usual, size() - 1);
        __builtin_prefetch(&m_end[soon]);
        __builtin_prefetch(&m_begin[soon]);
        if (last < size() && m_begin[last] < std::max(end, begin + 1))
            ++last;
        result.emplace_back(first, last);
    }
    return result;
}

TimeSeries::Grain TimeSeries::grainOf(Samples samples)
{
    Grain grain;
    for (; (samples.second - samples.first) / (grain.samples * kFactor) >= kFactor; ++grain.levels)
        grain.samples *= kFactor;
    return grain;
}

void TimeSeries::prefetch(Samples samples) const
{
    constexpr std::size_t kCacheLine = 64;
    const auto ask = [](const auto& values, std::size_t from, std::size_t to) {
        constexpr std::size_t kStep = kCacheLine / sizeof values[0];
        for (std::size_t i = from / kStep * kStep; i < std::min(to, values.size()); i += kStep)
            __builtin_prefetch(&values[i]);
    };
    const Grain grain = grainOf(samples);
    const std::size_t begin = samples.first / grain.samples;
    const std::size_t end = samples.second / grain.samples;
    if (grain.levels == 0) {
        ask(m_value, begin, end);
        return;
    }
    // Nodes around the beginning were prefetched for the end of the previous column.
    const std::size_t coarse = end / kFactor;
    ask(m_levels[grain.levels - 1].extremes, coarse * kFactor, (coarse + 1) * kFactor);
    if (grain.levels < m_levels.size())
        ask(m_levels[grain.levels].extremes, begin / kFactor, coarse);
}

SeriesExtremes TimeSeries::envelope(Samples samples) const
{
    const auto [first, last] = samples;
    const Grain grain = grainOf(samples);
    SeriesExtremes all;
    const auto takeNodes = [&](std::size_t levels, std::size_t from, std::size_t to) {
        const std::vector<SeriesExtremes>& nodes = m_levels[levels - 1].extremes;
        for (std::size_t i = from; i < to; ++i)
            all.take(nodes[i].min, nodes[i].max);
    };
    const auto takeFine = [&](std::size_t from, std::size_t to) {
        if (grain.levels > 0) {
            takeNodes(grain.levels, from, to);
            return;
        }
        for (std::size_t i = from; i < to; ++i)
            all.take(m_value[i], m_value[i]); // a missing value is neither smaller nor larger
    };
    // Nodes of this grain up to those of the next level, then that level's, then the rest.
    const std::size_t begin = first / grain.samples;
    const std::size_t end = last / grain.samples;
    const std::size_t coarseBegin = (begin + kFactor - 1) / kFactor;
    const std::size_t coarseEnd = end / kFactor;
    if (coarseBegin >= coarseEnd) {
        takeFine(begin, end);
        return all;
    }
    takeFine(begin, coarseBegin * kFactor);
    takeNodes(grain.levels + 1, coarseBegin, coarseEnd);
    takeFine(coarseEnd * kFactor, end);
    return all;
}

std::vector<SeriesColumn> TimeSeries::columns(TimeRange range, int count) const
{
    std::vector<SeriesColumn> result;
    if (count <= 0 || range.empty())
        return result;
    result.reserve(static_cast<std::size_t>(count));
    // Quotient and remainder separately: duration x count could overflow for very long ranges.
    const Nanoseconds quotient = range.duration_ns() / count;
    const Nanoseconds remainder = range.duration_ns() % count;
    const auto edge = [&](Nanoseconds i) {
        return range.begin_ns + quotient * i + remainder * i / count;
    };
    std::size_t first = firstTouching(range.begin_ns, 0);
    for (int i = 0; i < count; ++i) {
        const TimeRange time{edge(i), edge(i + 1)};
        first = firstTouching(time.begin_ns, first);
        if (time.empty())
            result.push_back({time, {}});
        else
            result.push_back({time, summaryOf(time, first, firstAfter(time.end_ns, first))});
    }
    return result;
}

std::vector<TimeRange> TimeSeries::gaps(Nanoseconds minimum) const
{
    std::vector<TimeRange> result;
    if (empty())
        return result;
    Nanoseconds known = m_begin.front();
    const auto close = [&](Nanoseconds until) {
        if (until - known > minimum)
            result.push_back({known, until});
    };
    for (std::size_t i = 0; i < size(); ++i) {
        if (std::isnan(m_value[i]))
            continue;
        close(m_begin[i]);
        known = m_end[i];
    }
    close(m_end.back());
    return result;
}

std::vector<std::vector<TimeSeries::LinePoint>> TimeSeries::lines(TimeRange range, int maxPoints,
                                                                  Nanoseconds minimumGap) const
{
    std::vector<std::vector<LinePoint>> runs;
    if (range.empty() || maxPoints < 4)
        return runs;
    const std::size_t first = firstTouching(range.begin_ns, 0);
    const std::size_t last = firstAfter(range.end_ns, first);
    std::optional<Nanoseconds> previousEnd;
    if (last <= first + static_cast<std::size_t>(maxPoints) / 2) {
        for (std::size_t i = first; i < last; ++i) {
            if (std::isnan(m_value[i]))
                continue;
            if (!previousEnd || m_begin[i] - *previousEnd > minimumGap)
                runs.emplace_back();
            runs.back().push_back({m_begin[i], m_value[i]});
            runs.back().push_back({m_end[i], m_value[i]});
            previousEnd = m_end[i];
        }
        return runs;
    }

    // Columns are aligned to a fixed grid, so that a scrolling line does not flicker.
    const Nanoseconds columnCount = maxPoints / 2 - 2;
    const Nanoseconds width = (range.duration_ns() + columnCount - 1) / columnCount;
    Nanoseconds begin = range.begin_ns / width * width;
    if (begin > range.begin_ns)
        begin -= width;
    bool rising = true;
    for (; begin < range.end_ns; begin += width) {
        const SeriesSummary column = summary({begin, begin + width});
        if (column.empty())
            continue;
        if (!previousEnd || begin - *previousEnd > minimumGap)
            runs.emplace_back();
        const Nanoseconds middle = begin + width / 2;
        runs.back().push_back({middle, rising ? column.min : column.max});
        runs.back().push_back({middle, rising ? column.max : column.min});
        rising = !rising;
        previousEnd = begin + width;
    }
    return runs;
}

} // namespace ep::viz
