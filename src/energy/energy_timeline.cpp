// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/energy_timeline.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace ep::energy {
namespace {

bool hasRail(const PowerSample& sample, Rail rail)
{
    return sample.energy_mj[rail] || sample.power_mw[rail];
}

constexpr double kMaxPicojoules = 1e36;
constexpr double kExactIn64Bits = 9e18; // larger doubles are integers anyway

} // namespace

std::vector<Rail> railsOf(std::span<const PowerSample> samples)
{
    std::vector<Rail> rails;
    for (const Rail rail : kPartRails) {
        if (std::ranges::any_of(samples, [&](const PowerSample& sample) {
                return !sample.window.empty() && hasRail(sample, rail);
            }))
            rails.push_back(rail);
    }
    return rails;
}

EnergyTimeline::EnergyTimeline(std::span<const PowerSample> samples, SpreadRule rule,
                               Nanoseconds offsetNs)
    : m_rule(std::move(rule))
    , m_rails(railsOf(samples))
{
    if (m_rule.work == nullptr)
        m_rule.fit.reset();
    for (const Rail rail : m_rule.rails) {
        if (std::ranges::count(m_rails, rail) == 0)
            m_rails.push_back(rail);
    }
    join(samples, offsetNs);
    addUp();
    if (m_rule.fit && !m_rule.run.empty())
        findOutside();
}

void EnergyTimeline::join(std::span<const PowerSample> samples, Nanoseconds offsetNs)
{
    const Nanoseconds tolerance = timestampTolerance(samples);
    m_windows.reserve(samples.size());
    m_ends.reserve(samples.size());
    for (const PowerSample& sample : samples) {
        if (sample.window.empty())
            continue;
        Window window;
        window.time = {sample.window.begin_ns - offsetNs, sample.window.end_ns - offsetNs};
        window.modelled = sample.modelled;
        double counted = 1.0; // fraction of the reading outside earlier windows
        if (!m_windows.empty()) {
            const Nanoseconds previousEnd = m_ends.back();
            const Nanoseconds gap = window.time.begin_ns - previousEnd;
            if (window.time.end_ns <= previousEnd)
                continue;
            if (std::abs(gap) <= tolerance)
                window.bridged_ns = gap;
            else if (gap < 0)
                counted = static_cast<double>(window.time.end_ns - previousEnd)
                    / static_cast<double>(window.time.duration_ns());
            if (gap <= tolerance)
                window.time.begin_ns = previousEnd;
        }
        const Nanoseconds duration = window.time.duration_ns();
        for (std::size_t i = 0; i < kRailCount; ++i) {
            if (const auto& energy = sample.energy_mj.values[i])
                window.rails_pj.values[i] = toPicojoules(*energy * counted);
            else if (const auto& power = sample.power_mw.values[i])
                window.rails_pj.values[i] = toPicojoules(energyOf(*power, duration));
        }
        window.total_pj = totalOf(window);
        if (m_rails.empty() && !window.total_pj && sample.total_mw)
            window.total_pj = toPicojoules(energyOf(*sample.total_mw, duration));
        m_windows.push_back(window);
        m_ends.push_back(window.time.end_ns);
    }
}

std::optional<Picojoules> EnergyTimeline::totalOf(const Window& window) const
{
    if (m_rails.empty())
        return window.rails_pj[Rail::System];
    Picojoules sum = 0;
    for (const Rail rail : m_rails) {
        if (!window.rails_pj[rail])
            return std::nullopt;
        sum += *window.rails_pj[rail];
    }
    return sum;
}

void EnergyTimeline::addUp()
{
    m_prefix.resize(m_windows.size() + 1);
    for (std::size_t i = 0; i < m_windows.size(); ++i) {
        Prefix& next = m_prefix[i + 1];
        next = m_prefix[i];
        const Window& window = m_windows[i];
        const auto add = [&](std::size_t index, const std::optional<Picojoules>& energy) {
            if (energy)
                next.pj[index] += *energy;
            else
                ++next.absent[index];
        };
        for (std::size_t rail = 0; rail < kRailCount; ++rail)
            add(rail, window.rails_pj.values[rail]);
        add(kTotal, window.total_pj);
        next.modelled += window.modelled ? 1U : 0U;
        next.covered_ns += window.time.duration_ns();
        next.known_ns += window.total_pj ? window.time.duration_ns() : 0;
        if (m_rule.fit)
            m_windowWork.push_back(m_rule.work->over(window.time));
    }
}

std::pair<std::size_t, std::size_t> EnergyTimeline::touching(const TimeRange& range) const
{
    const auto begin =
        m_windows.begin() + (std::ranges::upper_bound(m_ends, range.begin_ns) - m_ends.begin());
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
    Place place;
    place.window =
        static_cast<std::size_t>(std::ranges::upper_bound(m_ends, time) - m_ends.begin());
    place.time = time;
    if (place.window == m_windows.size())
        return place;
    const Window& window = m_windows[place.window];
    if (time <= window.time.begin_ns)
        return place;
    place.share = static_cast<double>(time - window.time.begin_ns)
        / static_cast<double>(window.time.duration_ns());
    if (m_rule.fit)
        place.since = m_rule.work->over({window.time.begin_ns, time});
    return place;
}

// Energy from the beginning of the place's window up to the place.
Picojoules EnergyTimeline::part(const Place& place, std::size_t rail) const
{
    if (place.share <= 0.0)
        return 0;
    const Window& window = m_windows[place.window];
    const auto& value = rail == kTotal ? window.total_pj : window.rails_pj.values[rail];
    if (!value)
        return 0;
    const double energy = toDouble(*value);
    double part = energy * place.share;
    // A total without components is fitted as the rail `system`.
    const std::size_t fitted = rail == kTotal ? static_cast<std::size_t>(Rail::System) : rail;
    if (const auto& costs = m_rule.fit ? m_rule.fit->rails.values[fitted] : std::nullopt) {
        const double duration = toSeconds(window.time.duration_ns());
        const auto& known = m_rule.static_mw.values[fitted];
        const auto cost = [&](const WorkCurve::Work& work, double elapsed) {
            const double seconds = known ? work.busy_ns * 1e-9 : elapsed;
            return costs->pj_per_byte * work.bytes + costs->pj_per_flop * work.flops
                + costs->time_mw * seconds * kPicojoulesPerMillijoule;
        };
        const double whole = cost(m_windowWork[place.window], duration);
        const double idle = known.value_or(Milliwatts{}).value;
        const double fixed =
            std::clamp(idle * duration * kPicojoulesPerMillijoule, 0.0, std::max(0.0, energy));
        if (whole > 0.0) {
            const double share =
                std::clamp(cost(place.since, place.share * duration) / whole, 0.0, 1.0);
            const double outside = outsideUntil({place.window, window.time.end_ns}, fitted);
            part = fixed * place.share + outsideUntil(place, fitted)
                + (energy - fixed - outside) * share;
        }
    }
    return roundedPicojoules(part);
}

Picojoules EnergyTimeline::until(const Place& place, std::size_t rail) const
{
    return m_prefix[place.window].pj[rail] + part(place, rail);
}

Picojoules EnergyTimeline::totalUntil(const Place& place) const
{
    if (m_rails.empty())
        return until(place, kTotal);
    Picojoules sum = m_prefix[place.window].pj[kTotal];
    if (place.share > 0.0 && m_windows[place.window].total_pj) {
        for (const Rail rail : m_rails)
            sum += part(place, static_cast<std::size_t>(rail));
    }
    return sum;
}

// Sum over the windows that overlap the range; the first and the last are cut.
template <typename InsideOf>
Nanoseconds EnergyTimeline::timeOf(const TimeRange& range, Nanoseconds Prefix::*sum,
                                   InsideOf insideOf) const
{
    const auto [first, last] = touching(range);
    if (first == last)
        return 0;
    if (last - first == 1)
        return insideOf(m_windows[first]);
    return insideOf(m_windows[first]) + insideOf(m_windows[last - 1]) + m_prefix[last - 1].*sum
        - m_prefix[first + 1].*sum;
}

Nanoseconds EnergyTimeline::coveredNs(const TimeRange& range) const
{
    return timeOf(range, &Prefix::covered_ns, [&](const Window& window) {
        return intersection(window.time, range).duration_ns();
    });
}

KnownEnergy EnergyTimeline::known(const TimeRange& range) const
{
    KnownEnergy known;
    known.covered_ns = timeOf(range, &Prefix::known_ns, [&](const Window& window) {
        return window.total_pj ? intersection(window.time, range).duration_ns() : 0;
    });
    if (known.covered_ns > 0)
        known.total_mj =
            fromPicojoules(totalUntil(placeOf(range.end_ns)) - totalUntil(placeOf(range.begin_ns)));
    return known;
}

bool EnergyTimeline::covers(const TimeRange& range, std::size_t first, std::size_t last) const
{
    if (first == last)
        return false;
    if (last - first == 1)
        return m_windows[first].time.contains(range);
    return coveredNs(range) >= range.duration_ns();
}

std::optional<Picojoules> EnergyTimeline::totalPicojoules(const TimeRange& range) const
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
    const auto [first, last] = touching(range);
    if (!covers(range, first, last))
        return energy;
    energy.total_mj = totalOver(range);
    const Prefix& before = m_prefix[first];
    const Prefix& after = m_prefix[last];
    const Place begin = placeOf(range.begin_ns);
    const Place end = placeOf(std::max(range.begin_ns, range.end_ns));
    for (std::size_t rail = 0; rail < kRailCount; ++rail) {
        if (after.absent[rail] == before.absent[rail])
            energy.rails_mj.values[rail] = fromPicojoules(until(end, rail) - until(begin, rail));
    }
    if (!energy.total_mj)
        return energy;
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

void EnergyTimeline::findOutside()
{
    const auto [first, last] = touching(m_rule.run);
    if (first == last)
        return;
    const auto neighbour = [&](std::size_t window, bool there) {
        return there ? std::optional(window) : std::nullopt;
    };
    const TimeRange& begin = m_windows[first].time;
    const TimeRange& end = m_windows[last - 1].time;
    addOutside(
        first, {begin.begin_ns, m_rule.run.begin_ns},
        neighbour(first - 1, first > 0 && m_windows[first - 1].time.end_ns == begin.begin_ns));
    addOutside(
        last - 1, {m_rule.run.end_ns, end.end_ns},
        neighbour(last, last < m_windows.size() && m_windows[last].time.begin_ns == end.end_ns));
}

// beside: the next window on that side, if it follows without a gap.
void EnergyTimeline::addOutside(std::size_t window, const TimeRange& time,
                                std::optional<std::size_t> beside)
{
    if (time.empty())
        return;
    Outside outside{.window = window, .time = time, .beyond_pj = {}, .sd_mj = 0.0};
    const auto powerOf = [&](std::size_t index, Rail rail) -> std::optional<double> {
        const Window& own = m_windows[index];
        const auto& energy = m_rails.empty() ? own.total_pj : own.rails_pj[rail];
        if (!energy)
            return std::nullopt;
        return toDouble(*energy) / kPicojoulesPerMillijoule / toSeconds(own.time.duration_ns());
    };
    const std::vector<Rail> rails = m_rails.empty() ? std::vector{Rail::System} : m_rails;
    double most_mw = 0.0; // power beyond the static part
    for (const Rail rail : rails) {
        const auto& idle = m_rule.static_mw[rail];
        const auto mean = powerOf(window, rail);
        if (!idle || !mean)
            continue;
        double most = *mean - idle->value;
        if (const auto known = beside ? powerOf(*beside, rail) : std::nullopt)
            most = std::min(most, *known - idle->value);
        most = std::max(0.0, most);
        outside.beyond_pj[static_cast<std::size_t>(rail)] =
            most / 2.0 * toSeconds(time.duration_ns()) * kPicojoulesPerMillijoule;
        most_mw += most;
    }
    outside.sd_mj = most_mw * toSeconds(time.duration_ns()) / std::sqrt(12.0);
    if (most_mw > 0.0)
        m_outside.push_back(outside);
}

double EnergyTimeline::outsideUntil(const Place& place, std::size_t fitted) const
{
    double sum = 0.0;
    for (const Outside& outside : m_outside) {
        if (outside.window != place.window)
            continue;
        const double elapsed =
            static_cast<double>(std::clamp(place.time, outside.time.begin_ns, outside.time.end_ns)
                                - outside.time.begin_ns);
        sum +=
            outside.beyond_pj[fitted] * elapsed / static_cast<double>(outside.time.duration_ns());
    }
    return sum;
}

Picojoules roundedPicojoules(double energy)
{
    if (std::abs(energy) < kExactIn64Bits)
        return std::llround(energy);
    return static_cast<Picojoules>(std::clamp(energy, -kMaxPicojoules, kMaxPicojoules));
}

Picojoules toPicojoules(Millijoules energy)
{
    return roundedPicojoules(energy.value * kPicojoulesPerMillijoule);
}

Millijoules fromPicojoules(Picojoules energy)
{
    return {toDouble(energy) / kPicojoulesPerMillijoule};
}

} // namespace ep::energy
