// SPDX-License-Identifier: GPL-3.0-or-later
#include "inverse.h"
#include "split_model.h"
#include "window_errors.h"

#include <algorithm>
#include <cmath>

// How far errors of a split model's unknowns move the energy of any range of the run.
namespace ep::energy {

void SplitModel::remember()
{
    m_windows.resize(m_last - m_first);
    for (std::size_t i = 0; i < m_windows.size(); ++i) {
        WindowPart& own = m_windows[i];
        Part part = partOf(m_timeline.windows()[m_first + i].time);
        if (!(part.m > 0.0))
            continue;
        own.known = true;
        own.scale = std::max(dynamicOf(m_first + i), 1e-12) / part.m;
        own.p = std::move(part.j);
        own.p[kIdle] /= own.scale;
        for (double& value : own.p)
            value /= part.m;
        own.cp = product(m_covariance, own.p);
        own.pcp = dot(own.p, own.cp);
    }
}

void SplitModel::noteUnexplained()
{
    for (std::size_t i = 0; i < m_expected.size(); ++i) {
        const EnergyTimeline::Window& window = m_timeline.windows()[i];
        const double seconds = toSeconds(window.time.duration_ns());
        WindowPower& power = m_unexplained.emplace_back(WindowPower{.time = window.time});
        power.known = window.total_pj && i >= m_first && i < m_last;
        if (!power.known)
            continue;
        power.sd_mw = std::hypot(m_noise * m_expected[i],
                                 windowPower(window) * std::sqrt(2.0) * m_timestampNs * 1e-9)
            / seconds;
        if (m_learned) {
            power.mw = (dynamicOf(i) - partOf(window.time).m) / seconds;
            continue;
        }
        // Beyond the run, the machine is idle.
        const double inside = toSeconds(intersection(window.time, m_work.run()).duration_ns());
        power.mw = m_idle ? dynamicOf(i) / std::max(inside, 1e-9) : dynamicOf(i) / seconds;
    }
}

std::array<double, kWorkKinds> SplitModel::factorDeviations() const
{
    std::array<double, kWorkKinds> result = m_prior.sd;
    for (std::size_t i = 0; i < m_work.parts().size(); ++i)
        result[m_work.parts()[i].kind] =
            std::sqrt(m_covariance[m_unknownOfPart[i]][m_unknownOfPart[i]]);
    return result;
}

double SplitModel::quadratic(const Vector& g) const
{
    return std::max(0.0, dot(g, product(m_covariance, g)));
}

double SplitModel::variance(const TimeRange& range) const
{
    const auto [first, last] = m_timeline.touching(range);
    Vector g(m_count, 0.0);
    bool any = false;
    const auto edge = [&](std::size_t i) {
        const TimeRange& time = m_timeline.windows()[i].time;
        if (range.contains(time) || i < m_first || i >= m_last || !m_windows[i - m_first].known)
            return;
        const WindowPart& window = m_windows[i - m_first];
        Part part = partOf(intersection(range, time));
        part.j[kIdle] /= window.scale;
        for (std::size_t k = 0; k < m_count; ++k)
            g[k] += window.scale * (part.j[k] - part.m * window.p[k]);
        any = true;
    };
    if (first != last)
        edge(first);
    if (last - first > 1)
        edge(last - 1);
    return any ? quadratic(g) : 0.0;
}

double SplitModel::variance(const TimeRange& range, WorkKind kind, bool prefill) const
{
    const auto [first, last] = m_timeline.touching(range);
    const auto& parts = m_work.parts();
    const auto found = std::ranges::find_if(parts, [&](const KindWork::Part& part) {
        return part.kind == kind && part.prefill == prefill;
    });
    if (last - first != 1 || found == parts.end() || first < m_first || first >= m_last
        || !m_windows[first - m_first].known)
        return variance(range);
    const WindowPart& window = m_windows[first - m_first];
    const WorkCurve::Work work = found->work.over(range);
    const std::size_t unknown = m_unknownOfPart[static_cast<std::size_t>(found - parts.begin())];
    const bool calibrated = isCalibrated(*found);
    const double level = calibrated ? 1.0 + m_mean[m_levelUnknown] : 1.0;
    const double factor = 1.0 + m_mean[unknown];
    const double base = calibrated ? atFirst(work) : modelled(work);
    const double m = base * factor * level;
    const double byCosts = calibrated ? 0.0 : factor;
    const std::array<std::size_t, 7> at{kBytes,  kFlops,           kTime,         kIdle,
                                        unknown, m_prefillUnknown, m_levelUnknown};
    const std::array<double, 7> j{m_reference[kBytes] * work.bytes * byCosts,
                                  m_reference[kFlops] * work.flops * byCosts,
                                  m_reference[kTime] * work.busy_ns * 1e-9 * byCosts,
                                  m_idle.value_or(Milliwatts{}).value
                                      * toSeconds(range.duration_ns()) / window.scale,
                                  base * level,
                                  prefill ? m : 0.0,
                                  calibrated ? base * factor : 0.0};
    double result = m * m * window.pcp;
    for (std::size_t i = 0; i < at.size(); ++i) {
        result -= 2.0 * m * j[i] * window.cp[at[i]];
        for (std::size_t k = 0; k < at.size(); ++k)
            result += j[i] * j[k] * m_covariance[at[i]][at[k]];
    }
    return std::max(0.0, result) * window.scale * window.scale;
}

} // namespace ep::energy
