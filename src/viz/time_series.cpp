// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/time_series.h"

#include <algorithm>
#include <cmath>

namespace ep::viz {

void TimeSeries::Node::add(const Node& other)
{
    extremes.take(other.extremes.min, other.extremes.max);
    amount.integral += other.amount.integral;
    amount.covered_ns += other.amount.covered_ns;
}

void TimeSeries::Level::push(const Node& node)
{
    extremes.push_back(node.extremes);
    amounts.push_back(node.amount);
}

void TimeSeries::Level::add(std::size_t index, const Node& added)
{
    Node sum = node(index);
    sum.add(added);
    extremes[index] = sum.extremes;
    amounts[index] = sum.amount;
}

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
                for (std::size_t i = 0; i < m_levels[level - 1].amounts.size(); ++i)
                    all.add(m_levels[level - 1].node(i));
            m_levels.emplace_back().push(all);
        } else if (group == m_levels[level].amounts.size()) {
            m_levels[level].push(added);
        } else {
            m_levels[level].add(group, added);
        }
        if (m_levels[level].amounts.size() == 1)
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
    return {{v, v}, {v * toSeconds(duration), duration}};
}

TimeSeries::Node TimeSeries::node(std::size_t levels, std::size_t index) const
{
    return levels == 0 ? leaf(index) : m_levels[levels - 1].node(index);
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
    if (low == guess) { // not after the guess, so searches backwards
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
        sum.add(node(levels, first / width));
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
        Amount& amount = part.amount;
        if (amount.covered_ns > 0) {
            amount.integral *= static_cast<double>(inside) / static_cast<double>(amount.covered_ns);
            amount.covered_ns = inside;
        }
        sum.add(part);
    };
    if (!range.contains(window(first)))
        addPart(first++);
    if (first < last && !range.contains(window(last - 1)))
        addPart(--last);
    sum.add(wholeSamples(first, last));
    if (sum.amount.covered_ns <= 0)
        return {};
    return {sum.extremes.min, sum.extremes.max, sum.amount.integral, sum.amount.covered_ns};
}

std::optional<std::size_t> TimeSeries::peak(TimeRange range) const
{
    const SeriesSummary whole = summary(range);
    if (whole.empty())
        return std::nullopt;
    const auto holdsIt = [&](const Node& n) { return n.extremes.max >= whole.max; };
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
        // The last sample of this column extends beyond the end of the column, if there is such a
        // sample.
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
    // Takes nodes of this grain up to the first node of the next level, then nodes of that level,
    // then the rest.
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
