// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/energy_timeline.h"

#include <algorithm>
#include <cmath>

// The power of windows that reach beyond the run, in the time outside it.
namespace ep::energy {

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
    double most_mw = 0.0; // beyond the static part
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

} // namespace ep::energy
