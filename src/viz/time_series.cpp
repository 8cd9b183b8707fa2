// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/time_series.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ep::viz {

namespace {

// A node or summary without covered time is neutral.
template <typename Node>
void merge(Node& into, const Node& other)
{
    if (other.covered_ns <= 0)
        return;
    if (into.covered_ns <= 0) {
        into = other;
        return;
    }
    into.min = std::min(into.min, other.min);
    into.max = std::max(into.max, other.max);
    into.integral += other.integral;
    into.covered_ns += other.covered_ns;
}

} // namespace

void TimeSeries::clear()
{
    *this = {};
}

bool TimeSeries::append(TimeRange window, std::optional<double> value)
{
    if (!m_end.empty())
        window.begin_ns = std::max(window.begin_ns, m_end.back());
    if (window.empty())
        return false;
    const std::size_t index = m_begin.size();
    m_begin.push_back(window.begin_ns);
    m_end.push_back(window.end_ns);
    m_value.push_back(value ? *value : std::numeric_limits<double>::quiet_NaN());

    const Node added = leaf(index);
    std::size_t group = index;
    for (std::size_t level = 0;; ++level) {
        group /= kFactor;
        if (level == m_levels.size()) {
            Node all;
            if (level == 0)
                all = added;
            else
                for (const Node& node : m_levels[level - 1])
                    merge(all, node);
            m_levels.push_back({all});
        } else if (group == m_levels[level].size()) {
            m_levels[level].push_back(added);
        } else {
            merge(m_levels[level][group], added);
        }
        if (m_levels[level].size() == 1)
            return true;
    }
}

TimeRange TimeSeries::time() const
{
    return empty() ? TimeRange{} : TimeRange{m_begin.front(), m_end.back()};
}

std::optional<double> TimeSeries::value(std::size_t index) const
{
    const double stored = m_value[index];
    return std::isnan(stored) ? std::nullopt : std::optional(stored);
}

std::optional<std::size_t> TimeSeries::indexAt(Nanoseconds time) const
{
    const auto end = std::upper_bound(m_end.begin(), m_end.end(), time);
    const auto index = static_cast<std::size_t>(end - m_end.begin());
    if (index == size() || m_begin[index] > time)
        return std::nullopt;
    return index;
}

std::size_t TimeSeries::firstFrom(Nanoseconds time) const
{
    return static_cast<std::size_t>(std::lower_bound(m_begin.begin(), m_begin.end(), time)
                                    - m_begin.begin());
}

TimeSeries::Node TimeSeries::leaf(std::size_t index) const
{
    const double v = m_value[index];
    if (std::isnan(v))
        return {};
    const Nanoseconds duration = m_end[index] - m_begin[index];
    return {v, v, v * toSeconds(duration), duration};
}

std::size_t TimeSeries::levelsAt(std::size_t first, std::size_t last) const
{
    std::size_t levels = 0;
    std::size_t width = kFactor;
    while (levels < m_levels.size() && first % width == 0 && first + width <= last) {
        width *= kFactor;
        ++levels;
    }
    return levels;
}

namespace {

constexpr std::size_t power(std::size_t base, std::size_t exponent)
{
    std::size_t result = 1;
    while (exponent-- > 0)
        result *= base;
    return result;
}

// Like std::partition_point on [from, size), but fast if the result is near `guess`.
template <typename Before>
std::size_t gallop(std::size_t from, std::size_t size, std::size_t guess, const Before& before)
{
    guess = std::clamp(guess, from, size);
    std::size_t step = 1;
    std::size_t low = guess;
    std::size_t high = guess;
    while (high < size && before(high)) {
        low = high + 1;
        high += step;
        step *= 2;
    }
    high = std::min(high, size);
    if (low == guess) { // not after the guess: the other way
        for (step = 1; low > from && !before(low - 1); step *= 2) {
            high = low - 1;
            low -= std::min(step, low - from);
        }
    }
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (before(middle))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

} // namespace

TimeSeries::Node TimeSeries::wholeSamples(std::size_t first, std::size_t last) const
{
    Node sum;
    while (first < last) {
        const std::size_t levels = levelsAt(first, last);
        const std::size_t width = power(kFactor, levels);
        merge(sum, levels == 0 ? leaf(first) : m_levels[levels - 1][first / width]);
        first += width;
    }
    return sum;
}

std::size_t TimeSeries::firstTouching(Nanoseconds begin, std::size_t from, std::size_t guess) const
{
    return gallop(from, size(), guess, [&](std::size_t i) { return m_end[i] <= begin; });
}

std::size_t TimeSeries::firstAfter(Nanoseconds end, std::size_t from) const
{
    return gallop(from, size(), from, [&](std::size_t i) { return m_begin[i] < end; });
}

SeriesSummary TimeSeries::summary(TimeRange range) const
{
    if (range.empty())
        return {};
    const std::size_t first = firstTouching(range.begin_ns, 0);
    return summaryOf(range, first, firstAfter(range.end_ns, first));
}

SeriesSummary TimeSeries::summaryOf(TimeRange range, std::size_t first, std::size_t last) const
{
    if (first >= last)
        return {};
    Node sum;
    const auto addPart = [&](std::size_t index) {
        Node part = leaf(index);
        const Nanoseconds inside = intersection(range, window(index)).duration_ns();
        if (part.covered_ns > 0) {
            part.integral *= static_cast<double>(inside) / static_cast<double>(part.covered_ns);
            part.covered_ns = inside;
        }
        merge(sum, part);
    };
    if (!range.contains(window(first)))
        addPart(first++);
    if (first < last && !range.contains(window(last - 1)))
        addPart(--last);
    merge(sum, wholeSamples(first, last));
    return {sum.min, sum.max, sum.integral, sum.covered_ns};
}

std::vector<TimeSeries::Samples> TimeSeries::columnSamples(TimeRange range, int count) const
{
    std::vector<Samples> result;
    if (count <= 0 || range.empty())
        return result;
    result.reserve(static_cast<std::size_t>(count));
    const Nanoseconds quotient = range.duration_ns() / count;
    const Nanoseconds remainder = range.duration_ns() % count;
    std::size_t first = firstTouching(range.begin_ns, 0);
    std::size_t usual = 0; // samples of the column before: most have about as many
    for (Nanoseconds i = 0; i < count; ++i) {
        const Nanoseconds begin = range.begin_ns + quotient * i + remainder * i / count;
        const Nanoseconds end = range.begin_ns + quotient * (i + 1) + remainder * (i + 1) / count;
        first = firstTouching(begin, first);
        // The last sample of this column is the one that straddles its end, if any.
        std::size_t last = firstTouching(std::max(end, begin + 1), first, first + usual);
        usual = last - first;
        if (last < size() && m_begin[last] < std::max(end, begin + 1))
            ++last;
        result.emplace_back(first, last);
    }
    return result;
}

SeriesExtremes TimeSeries::envelope(Samples samples) const
{
    const auto [first, last] = samples;
    std::size_t grain = 1;
    std::size_t level = 0;
    for (; (last - first) / (grain * kFactor) >= kFactor; ++level)
        grain *= kFactor;
    SeriesExtremes all;
    const auto takeFine = [&](std::size_t from, std::size_t to) {
        if (level == 0) {
            for (std::size_t i = from; i < to; ++i)
                all.take(m_value[i], m_value[i]); // a missing one is neither smaller nor larger
            return;
        }
        const std::vector<Node>& nodes = m_levels[level - 1];
        for (std::size_t i = from; i < to; ++i) {
            if (nodes[i].covered_ns > 0)
                all.take(nodes[i].min, nodes[i].max);
        }
    };
    // Nodes of that grain up to those of the next level, then these, then the rest.
    const std::size_t begin = first / grain;
    const std::size_t end = last / grain;
    const std::size_t coarseBegin = (begin + kFactor - 1) / kFactor;
    const std::size_t coarseEnd = end / kFactor;
    if (coarseBegin >= coarseEnd) {
        takeFine(begin, end);
        return all;
    }
    takeFine(begin, coarseBegin * kFactor);
    for (std::size_t i = coarseBegin; i < coarseEnd; ++i) {
        const Node& node = m_levels[level][i];
        if (node.covered_ns > 0)
            all.take(node.min, node.max);
    }
    takeFine(coarseEnd * kFactor, end);
    return all;
}

std::optional<std::size_t> TimeSeries::peak(TimeRange range) const
{
    const SeriesSummary whole = summary(range);
    if (whole.empty())
        return std::nullopt;
    const auto node = [this](std::size_t levels, std::size_t index) {
        return levels == 0 ? leaf(index) : m_levels[levels - 1][index];
    };
    const auto holdsIt = [&](const Node& n) { return n.covered_ns > 0 && n.max >= whole.max; };
    std::size_t first = firstTouching(range.begin_ns, 0);
    const std::size_t last = firstAfter(range.end_ns, first);
    while (first < last) {
        std::size_t levels = levelsAt(first, last);
        const std::size_t width = power(kFactor, levels);
        std::size_t at = first / width;
        if (!holdsIt(node(levels, at))) {
            first += width;
            continue;
        }
        while (levels > 0) {
            --levels;
            at *= kFactor;
            while (!holdsIt(node(levels, at)))
                ++at;
        }
        return at;
    }
    return std::nullopt;
}

std::vector<SeriesColumn> TimeSeries::columns(TimeRange range, int count) const
{
    std::vector<SeriesColumn> result;
    if (count <= 0 || range.empty())
        return result;
    result.reserve(static_cast<std::size_t>(count));
    // Separate quotient and remainder: duration x count could overflow for very long ranges.
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
    // Half of the points, as each run also gets its begin and end.
    if (last <= first + static_cast<std::size_t>(maxPoints) / 2) {
        std::size_t previous = last; // last sample of the current run; `last`: none
        const auto closeRun = [&] {
            if (previous == last)
                return;
            auto& run = runs.back();
            if (run.size() == 2) // a single sample: its midpoint adds nothing
                run.pop_back();
            run.push_back({m_end[previous], m_value[previous]});
        };
        for (std::size_t i = first; i < last; ++i) {
            if (std::isnan(m_value[i]))
                continue;
            if (previous == last || m_begin[i] - m_end[previous] > minimumGap) {
                closeRun();
                runs.push_back({{m_begin[i], m_value[i]}});
            }
            runs.back().push_back({m_begin[i] + (m_end[i] - m_begin[i]) / 2, m_value[i]});
            previous = i;
        }
        closeRun();
        return runs;
    }

    // Columns are aligned to a fixed grid, so that a scrolling line does not flicker.
    const Nanoseconds columnCount = maxPoints / 2 - 2;
    const Nanoseconds width = (range.duration_ns() + columnCount - 1) / columnCount;
    Nanoseconds begin = range.begin_ns / width * width;
    if (begin > range.begin_ns)
        begin -= width;
    std::optional<Nanoseconds> previousEnd;
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
