// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/energy_timeline.h"

#include <algorithm>

namespace ep::energy {

namespace {

Nanoseconds medianWindow(std::span<const PowerSample> samples)
{
    std::vector<Nanoseconds> durations;
    durations.reserve(samples.size());
    for (const PowerSample& sample : samples) {
        if (!sample.window.empty())
            durations.push_back(sample.window.duration_ns());
    }
    if (durations.empty())
        return 0;
    const auto middle = durations.begin() + static_cast<std::ptrdiff_t>(durations.size() / 2);
    std::nth_element(durations.begin(), middle, durations.end());
    return *middle;
}

PerRail<Millijoules> energiesOf(const PowerSample& sample)
{
    PerRail<Millijoules> rails = sample.energy_mj;
    for (std::size_t i = 0; i < kRailCount; ++i) {
        if (!rails.values[i] && sample.power_mw.values[i])
            rails.values[i] = energyOf(*sample.power_mw.values[i], sample.window.duration_ns());
    }
    return rails;
}

template <typename Window>
void addTo(Window& sum, const Window& part)
{
    for (std::size_t rail = 0; rail < kRailCount; ++rail) {
        if (sum.rails.values[rail] && part.rails.values[rail])
            *sum.rails.values[rail] += *part.rails.values[rail];
    }
    if (sum.total && part.total)
        *sum.total += *part.total;
    sum.modelled = sum.modelled || part.modelled;
}

} // namespace

// Windows [first, last) touch the range. `head` and `tail` are the shares of the first and of the
// last window that lie inside it; with one window only, head holds the share and tail is 1.
struct EnergyTimeline::Overlap {
    std::size_t first = 0;
    std::size_t last = 0;
    double head = 1.0;
    double tail = 1.0;
    std::size_t whole = 0; // windows entirely inside

    std::size_t count() const { return last - first; }
    // sum of f(window) over the range, given prefix sums of f
    template <typename PrefixSum, typename WindowValue>
    double sum(PrefixSum prefix, WindowValue value) const
    {
        if (count() == 0)
            return 0.0;
        if (count() == 1)
            return head * value(first);
        const double inner = prefix(last - 1) - prefix(first + 1);
        return head * value(first) + inner + tail * value(last - 1);
    }
};

EnergyTimeline::EnergyTimeline(std::span<const PowerSample> samples)
{
    const Nanoseconds joinable = medianWindow(samples);
    m_windows.reserve(samples.size());
    for (const PowerSample& sample : samples) {
        if (sample.window.empty())
            continue;
        Window window;
        window.time = sample.window;
        window.rails = energiesOf(sample);
        window.total = totalOf(window.rails);
        if (!window.total && sample.total_mw)
            window.total = energyOf(*sample.total_mw, sample.window.duration_ns());
        window.modelled = sample.modelled;
        if (!m_windows.empty()) {
            const Nanoseconds previousEnd = m_windows.back().time.end_ns;
            if (window.time.end_ns <= previousEnd) {
                // Its time is accounted for already; its counted energy must not get lost.
                addTo(m_windows.back(), window);
                continue;
            }
            if (window.time.begin_ns - previousEnd <= joinable)
                window.time.begin_ns = previousEnd;
        }
        m_windows.push_back(window);
    }

    m_prefix.resize(m_windows.size() + 1);
    for (std::size_t i = 0; i < m_windows.size(); ++i) {
        Prefix next = m_prefix[i];
        const Window& window = m_windows[i];
        for (std::size_t rail = 0; rail < kRailCount; ++rail) {
            if (window.rails.values[rail])
                next.rail_mj[rail] += window.rails.values[rail]->value;
            else
                ++next.rail_absent[rail];
        }
        if (window.total)
            next.total_mj += window.total->value;
        else
            ++next.total_absent;
        next.modelled += window.modelled ? 1U : 0U;
        next.covered_ns += window.time.duration_ns();
        m_prefix[i + 1] = next;
    }
}

EnergyTimeline::Overlap EnergyTimeline::overlapWith(const TimeRange& range) const
{
    const auto begin =
        std::partition_point(m_windows.begin(), m_windows.end(), [&](const Window& window) {
            return window.time.end_ns <= range.begin_ns;
        });
    // An empty range still lies in one window, with a share of zero.
    const Nanoseconds end_ns = std::max(range.end_ns, range.begin_ns + 1);
    const auto end = std::partition_point(begin, m_windows.end(), [&](const Window& window) {
        return window.time.begin_ns < end_ns;
    });

    Overlap overlap;
    overlap.first = static_cast<std::size_t>(begin - m_windows.begin());
    overlap.last = static_cast<std::size_t>(end - m_windows.begin());
    if (overlap.count() == 0)
        return overlap;

    const auto share = [&](const Window& window) {
        return static_cast<double>(intersection(window.time, range).duration_ns())
            / static_cast<double>(window.time.duration_ns());
    };
    const Window& first = m_windows[overlap.first];
    const Window& last = m_windows[overlap.last - 1];
    overlap.head = share(first);
    overlap.tail = overlap.count() > 1 ? share(last) : 1.0;

    const bool headWhole = range.contains(first.time);
    const bool tailWhole = range.contains(last.time);
    overlap.whole = overlap.count() == 1
        ? (headWhole ? 1 : 0)
        : overlap.count() - 2 + (headWhole ? 1 : 0) + (tailWhole ? 1 : 0);
    return overlap;
}

Nanoseconds EnergyTimeline::coveredNs(const TimeRange& range) const
{
    const Overlap overlap = overlapWith(range);
    if (overlap.count() == 0)
        return 0;
    const auto inside = [&](std::size_t i) {
        return intersection(m_windows[i].time, range).duration_ns();
    };
    if (overlap.count() == 1)
        return inside(overlap.first);
    return inside(overlap.first) + inside(overlap.last - 1) + m_prefix[overlap.last - 1].covered_ns
        - m_prefix[overlap.first + 1].covered_ns;
}

std::optional<Millijoules> EnergyTimeline::totalOver(const TimeRange& range) const
{
    const Overlap overlap = overlapWith(range);
    if (overlap.count() == 0 || coveredNs(range) < range.duration_ns())
        return std::nullopt;
    if (m_prefix[overlap.last].total_absent != m_prefix[overlap.first].total_absent)
        return std::nullopt;
    return Millijoules{overlap.sum([&](std::size_t i) { return m_prefix[i].total_mj; },
                                   [&](std::size_t i) { return m_windows[i].total->value; })};
}

EnergyValue EnergyTimeline::over(const TimeRange& range) const
{
    EnergyValue energy;
    energy.total_mj = totalOver(range);
    if (!energy.total_mj)
        return energy;

    const Overlap overlap = overlapWith(range);
    const Prefix& before = m_prefix[overlap.first];
    const Prefix& after = m_prefix[overlap.last];
    for (std::size_t rail = 0; rail < kRailCount; ++rail) {
        if (after.rail_absent[rail] != before.rail_absent[rail])
            continue;
        energy.rails_mj.values[rail] = Millijoules{
            overlap.sum([&](std::size_t i) { return m_prefix[i].rail_mj[rail]; },
                        [&](std::size_t i) { return m_windows[i].rails.values[rail]->value; })};
    }
    if (after.modelled != before.modelled)
        energy.provenance = Provenance::Modelled;
    else
        energy.provenance = overlap.whole > 0 ? Provenance::Measured : Provenance::Attributed;
    return energy;
}

std::optional<Milliwatts> EnergyTimeline::powerAt(Nanoseconds time) const
{
    const Overlap overlap = overlapWith({time, time});
    if (overlap.count() == 0)
        return std::nullopt;
    const Window& window = m_windows[overlap.first];
    if (!window.time.contains(time) || !window.total)
        return std::nullopt;
    return meanPower(*window.total, window.time.duration_ns());
}

} // namespace ep::energy
