// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/energy_timeline.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ep::energy {

namespace {

constexpr std::array kPartRails{Rail::Cpu, Rail::Gpu, Rail::Ane, Rail::Dram};

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

PerRail<std::int64_t> energiesOf(const PowerSample& sample)
{
    PerRail<std::int64_t> rails;
    for (std::size_t i = 0; i < kRailCount; ++i) {
        if (sample.energy_mj.values[i])
            rails.values[i] = toPicojoules(*sample.energy_mj.values[i]);
        else if (sample.power_mw.values[i])
            rails.values[i] =
                toPicojoules(energyOf(*sample.power_mw.values[i], sample.window.duration_ns()));
    }
    return rails;
}

void addTo(EnergyTimeline::Window& sum, const EnergyTimeline::Window& part)
{
    for (std::size_t rail = 0; rail < kRailCount; ++rail) {
        if (sum.rails_pj.values[rail] && part.rails_pj.values[rail])
            *sum.rails_pj.values[rail] += *part.rails_pj.values[rail];
    }
    if (sum.total_pj && part.total_pj)
        *sum.total_pj += *part.total_pj;
    sum.modelled = sum.modelled || part.modelled;
}

bool railsMakeTotal(const EnergyTimeline::Window& window)
{
    return std::ranges::any_of(kPartRails,
                               [&](Rail rail) { return window.rails_pj[rail].has_value(); });
}

} // namespace

std::int64_t toPicojoules(Millijoules energy)
{
    return std::llround(energy.value * kPicojoulesPerMillijoule);
}

Millijoules fromPicojoules(std::int64_t energy)
{
    return {static_cast<double>(energy) / kPicojoulesPerMillijoule};
}

EnergyTimeline::EnergyTimeline(std::span<const PowerSample> samples, SpreadRule rule,
                               Nanoseconds offsetNs)
    : m_rule(std::move(rule))
{
    if (m_rule.work == nullptr)
        m_rule.fit.reset();
    join(samples, offsetNs);
    addUp();
}

void EnergyTimeline::join(std::span<const PowerSample> samples, Nanoseconds offsetNs)
{
    const Nanoseconds joinable = medianWindow(samples);
    m_windows.reserve(samples.size());
    for (const PowerSample& sample : samples) {
        if (sample.window.empty())
            continue;
        Window window;
        window.time = {sample.window.begin_ns - offsetNs, sample.window.end_ns - offsetNs};
        window.rails_pj = energiesOf(sample);
        window.total_pj = totalOf(window.rails_pj);
        if (!window.total_pj && sample.total_mw)
            window.total_pj = toPicojoules(energyOf(*sample.total_mw, window.time.duration_ns()));
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
}

void EnergyTimeline::addUp()
{
    m_prefix.resize(m_windows.size() + 1);
    for (std::size_t i = 0; i < m_windows.size(); ++i) {
        Prefix next = m_prefix[i];
        const Window& window = m_windows[i];
        for (std::size_t rail = 0; rail < kRailCount; ++rail) {
            if (window.rails_pj.values[rail])
                next.pj[rail] += *window.rails_pj.values[rail];
            else
                ++next.absent[rail];
        }
        if (window.total_pj)
            next.pj[kTotal] += *window.total_pj;
        else
            ++next.absent[kTotal];
        m_railsMakeTotal = m_railsMakeTotal && railsMakeTotal(window);
        next.modelled += window.modelled ? 1U : 0U;
        next.covered_ns += window.time.duration_ns();
        m_prefix[i + 1] = next;
        if (m_rule.fit)
            m_windowWork.push_back(m_rule.work->over(window.time));
    }
}

std::pair<std::size_t, std::size_t> EnergyTimeline::touching(const TimeRange& range) const
{
    const auto begin =
        std::partition_point(m_windows.begin(), m_windows.end(), [&](const Window& window) {
            return window.time.end_ns <= range.begin_ns;
        });
    // An empty range still lies in one window, with a share of zero.
    const Nanoseconds end_ns = std::max(range.end_ns, range.begin_ns + 1);
    auto end = begin;
    // Nearly every span lies inside one window or two.
    for (int i = 0; i < 2 && end != m_windows.end() && end->time.begin_ns < end_ns; ++i)
        ++end;
    end = std::partition_point(end, m_windows.end(),
                               [&](const Window& window) { return window.time.begin_ns < end_ns; });
    return {static_cast<std::size_t>(begin - m_windows.begin()),
            static_cast<std::size_t>(end - m_windows.begin())};
}

EnergyTimeline::Place EnergyTimeline::placeOf(Nanoseconds time) const
{
    const auto window = std::partition_point(
        m_windows.begin(), m_windows.end(), [&](const Window& w) { return w.time.end_ns <= time; });
    Place place;
    place.window = static_cast<std::size_t>(window - m_windows.begin());
    place.time = time;
    if (window == m_windows.end() || time <= window->time.begin_ns)
        return place;
    const Nanoseconds begin = window->time.begin_ns;
    place.share =
        static_cast<double>(time - begin) / static_cast<double>(window->time.duration_ns());
    if (m_rule.fit)
        place.since = m_rule.work->over({begin, time});
    return place;
}

std::int64_t EnergyTimeline::until(const Place& place, std::size_t rail) const
{
    const std::int64_t before = m_prefix[place.window].pj[rail];
    if (place.share <= 0.0)
        return before;
    const Window& window = m_windows[place.window];
    const auto& value = rail == kTotal ? window.total_pj : window.rails_pj.values[rail];
    if (!value)
        return before;
    const auto energy = static_cast<double>(*value);
    double part = energy * place.share;
    const auto& costs = m_rule.fit
        ? m_rule.fit->rails.values[rail == kTotal ? kRailCount - 1 : rail]
        : std::nullopt;
    if (costs) {
        const double duration = toSeconds(window.time.duration_ns());
        const auto& known = m_rule.static_mw.values[rail == kTotal ? kRailCount - 1 : rail];
        const auto cost = [&](const WorkCurve::Work& work, double elapsed) {
            const double seconds = known ? work.busy_ns * 1e-9 : elapsed;
            return costs->pj_per_byte * work.bytes + costs->pj_per_flop * work.flops
                + costs->time_mw * seconds * kPicojoulesPerMillijoule;
        };
        const double whole = cost(m_windowWork[place.window], duration);
        const auto idle =
            m_rule.static_mw.values[rail == kTotal ? kRailCount - 1 : rail].value_or(Milliwatts{});
        const double fixed = std::clamp(idle.value * duration * kPicojoulesPerMillijoule, 0.0,
                                        std::max(0.0, energy));
        if (whole > 0.0) {
            const double share =
                std::clamp(cost(place.since, place.share * duration) / whole, 0.0, 1.0);
            part = fixed * place.share + (energy - fixed) * share;
        }
    }
    return before + std::llround(part);
}

std::int64_t EnergyTimeline::totalUntil(const Place& place) const
{
    if (!m_railsMakeTotal)
        return until(place, kTotal);
    std::int64_t sum = 0;
    for (const Rail rail : kPartRails)
        sum += until(place, static_cast<std::size_t>(rail));
    return sum;
}

Nanoseconds EnergyTimeline::coveredNs(const TimeRange& range) const
{
    const auto [first, last] = touching(range);
    if (first == last)
        return 0;
    const auto inside = [&](std::size_t i) {
        return intersection(m_windows[i].time, range).duration_ns();
    };
    if (last - first == 1)
        return inside(first);
    return inside(first) + inside(last - 1) + m_prefix[last - 1].covered_ns
        - m_prefix[first + 1].covered_ns;
}

bool EnergyTimeline::covers(const TimeRange& range, std::size_t first, std::size_t last) const
{
    if (first == last)
        return false;
    if (last - first == 1)
        return m_windows[first].time.contains(range);
    return coveredNs(range) >= range.duration_ns();
}

std::optional<std::int64_t> EnergyTimeline::totalPicojoules(const TimeRange& range) const
{
    const auto [first, last] = touching(range);
    if (!covers(range, first, last)
        || m_prefix[last].absent[kTotal] != m_prefix[first].absent[kTotal])
        return std::nullopt;
    if (range.empty())
        return 0;
    return totalUntil(placeOf(range.end_ns)) - totalUntil(placeOf(range.begin_ns));
}

std::optional<Millijoules> EnergyTimeline::totalOver(const TimeRange& range) const
{
    const auto energy = totalPicojoules(range);
    return energy ? std::optional(fromPicojoules(*energy)) : std::nullopt;
}

EnergyValue EnergyTimeline::over(const TimeRange& range) const
{
    EnergyValue energy;
    energy.total_mj = totalOver(range);
    if (!energy.total_mj)
        return energy;

    const auto [first, last] = touching(range);
    const Prefix& before = m_prefix[first];
    const Prefix& after = m_prefix[last];
    const Place begin = placeOf(range.begin_ns);
    const Place end = placeOf(std::max(range.begin_ns, range.end_ns));
    for (std::size_t rail = 0; rail < kRailCount; ++rail) {
        if (after.absent[rail] == before.absent[rail])
            energy.rails_mj.values[rail] = fromPicojoules(until(end, rail) - until(begin, rail));
    }
    bool whole = false;
    for (std::size_t i = first; i < last && !whole; ++i)
        whole = range.contains(m_windows[i].time);
    if (after.modelled != before.modelled)
        energy.provenance = Provenance::Modelled;
    else
        energy.provenance = whole ? Provenance::Measured : Provenance::Attributed;
    return energy;
}

std::optional<Milliwatts> EnergyTimeline::powerAt(Nanoseconds time) const
{
    const auto [first, last] = touching({time, time});
    if (first == last)
        return std::nullopt;
    const Window& window = m_windows[first];
    if (!window.time.contains(time) || !window.total_pj)
        return std::nullopt;
    return meanPower(fromPicojoules(*window.total_pj), window.time.duration_ns());
}

} // namespace ep::energy
