// SPDX-License-Identifier: GPL-3.0-or-later
#include "uncertainty.h"

#include <algorithm>
#include <cmath>

namespace ep::energy {

namespace {

constexpr double kLeastUnevenness = 0.03;

double square(double value)
{
    return value * value;
}

// In picojoules per nanosecond, that is, milliwatts.
double powerOf(const EnergyTimeline::Window& window)
{
    return toDouble(window.total_pj.value_or(0)) / static_cast<double>(window.time.duration_ns());
}

// Power of an adjacent window, if known.
double powerBeside(const EnergyTimeline::Window& window, const EnergyTimeline::Window& neighbour)
{
    const bool touch = neighbour.time.end_ns == window.time.begin_ns
        || window.time.end_ns == neighbour.time.begin_ns;
    return powerOf(touch && neighbour.total_pj ? neighbour : window);
}

// Residual of all rails, relative to the energy of a window: rails are weighted by their energy.
double residualOf(const EnergyTimeline& timeline, const CostFit& fit)
{
    double whole = 0.0;
    double squares = 0.0;
    for (std::size_t rail = 0; rail < kRailCount; ++rail) {
        const auto& costs = fit.rails.values[rail];
        if (!costs)
            continue;
        double energy = 0.0;
        for (const EnergyTimeline::Window& window : timeline.windows()) {
            const auto& own = window.rails_pj.values[rail];
            energy += toDouble((own ? own : window.total_pj).value_or(0));
        }
        whole += energy;
        squares += square(costs->relative_residual * energy);
    }
    return whole > 0.0 ? std::sqrt(squares) / whole : 0.0;
}

// 1 mJ if every energy is a multiple of a millijoule, 1 uJ likewise; otherwise 0.
double stepOf(const EnergyTimeline& timeline)
{
    for (const double step : {1.0, 1e-3}) {
        const auto pj = static_cast<Picojoules>(step * kPicojoulesPerMillijoule);
        if (std::ranges::all_of(timeline.windows(), [&](const EnergyTimeline::Window& window) {
                return window.total_pj.value_or(0) % pj == 0;
            }))
            return step;
    }
    return 0.0;
}

} // namespace

Uncertainty::Uncertainty(const EnergyTimeline& timeline, const SpreadRule& rule, double offsetSdNs)
    : m_timeline(timeline)
    , m_rule(rule)
    , m_offsetSdNs(offsetSdNs)
    , m_stepMj(stepOf(timeline))
{
    const double residual = rule.fit ? residualOf(timeline, *rule.fit) : 0.0;
    const auto& windows = timeline.windows();
    m_unevenness.reserve(windows.size());
    m_bridged.reserve(windows.size() + 1);
    m_bridged.push_back(0);
    for (std::size_t i = 0; i < windows.size(); ++i) {
        m_bridged.push_back(m_bridged.back() + windows[i].bridged_ns);
        const double here = powerOf(windows[i]);
        const double before = i > 0 ? powerBeside(windows[i], windows[i - 1]) : here;
        const double after =
            i + 1 < windows.size() ? powerBeside(windows[i], windows[i + 1]) : here;
        const double uneven = here > 0.0 ? std::abs(after - before) / (2.0 * here) : 0.0;
        const double relative = rule.fit ? residual : uneven;
        m_unevenness.push_back(static_cast<float>(std::clamp(relative, kLeastUnevenness, 1.0)));
    }
}

std::optional<double> Uncertainty::of(const TimeRange& range) const
{
    const auto [first, last] = m_timeline.touching(range);
    if (first == last || m_timeline.coveredNs(range) < range.duration_ns())
        return std::nullopt;
    const auto& windows = m_timeline.windows();
    double variance = 0.0;
    double shares = 0.0;
    const auto edge = [&](std::size_t i) {
        const EnergyTimeline::Window& window = windows[i];
        if (!window.total_pj)
            return;
        const double share = static_cast<double>(intersection(window.time, range).duration_ns())
            / static_cast<double>(window.time.duration_ns());
        const double energy = fromPicojoules(*window.total_pj).value;
        variance += square(std::min(share, 1.0 - share) * energy * m_unevenness[i]);
        shares += share;
    };
    edge(first);
    if (last - first > 1)
        edge(last - 1);
    shares += static_cast<double>(last - first > 2 ? last - first - 2 : 0);
    variance += square(m_stepMj) / 6.0 * square(std::min(1.0, shares));
    const double begin = powerOf(windows[first]);
    const double end = powerOf(windows[last - 1]);
    variance += square((begin - end) * m_offsetSdNs / kPicojoulesPerMillijoule);
    const std::size_t joined = first + (windows[first].time.begin_ns < range.begin_ns ? 1 : 0);
    const auto bridged = static_cast<double>(m_bridged[last] - m_bridged[joined]);
    variance += square((begin + end) / 2.0 * bridged / kPicojoulesPerMillijoule);
    if (m_rule.fit && m_rule.work != nullptr && shares < 1.0) {
        const WorkCurve::Work work = m_rule.work->over(range);
        for (const auto& costs : m_rule.fit->rails.values) {
            if (!costs)
                continue;
            variance += square(work.bytes * costs->pj_per_byte_sd / kPicojoulesPerMillijoule)
                + square(work.flops * costs->pj_per_flop_sd / kPicojoulesPerMillijoule)
                + square(costs->time_mw_sd * toSeconds(range.duration_ns()));
        }
    }
    return std::sqrt(variance);
}

} // namespace ep::energy
