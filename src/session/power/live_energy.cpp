// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/live_energy.h"

#include "ep/energy/attribute.h"

#include <algorithm>
#include <utility>

namespace ep::session {

namespace {

constexpr int kLongestHoldWindows = 3;

// Repeats the last window until `end`.
void holdLastPower(std::vector<PowerSample>& samples, Nanoseconds end)
{
    if (samples.empty() || samples.back().window.end_ns >= end)
        return;
    PowerSample held = samples.back();
    if (end - held.window.end_ns > kLongestHoldWindows * held.window.duration_ns())
        return;
    held.window = {held.window.end_ns, end};
    held.energy_mj = {};
    samples.push_back(held);
}

} // namespace

void estimateEnergy(TokenComplete& token, std::vector<PowerSample> samples,
                    const std::vector<Rail>& rails)
{
    holdLastPower(samples, token.token.time.end_ns);
    RunTrace trace;
    trace.time = token.token.time;
    trace.phases = {{.phase = token.token.phase, .time = trace.time, .energy = {}}};
    trace.tokens = {token.token};
    trace.layers = std::move(token.layers);
    trace.components = std::move(token.components);
    trace.samples = std::move(samples);
    energy::attributeByTime(trace, rails);
    token.token = std::move(trace.tokens.front());
    token.layers = std::move(trace.layers);
    token.components = std::move(trace.components);
}

void PhaseClock::enter(Phase phase, Nanoseconds at)
{
    const std::lock_guard lock(m_mutex);
    if (!m_phases.empty())
        m_phases.back().time.end_ns = at;
    m_phases.push_back({.phase = phase, .time = {at, at}, .energy = {}});
    m_goingOn = true;
}

void PhaseClock::end(Nanoseconds at)
{
    const std::lock_guard lock(m_mutex);
    if (!m_phases.empty())
        m_phases.back().time.end_ns = at;
    m_goingOn = false;
}

std::vector<PhaseSpan> PhaseClock::phases() const
{
    const std::lock_guard lock(m_mutex);
    return m_phases;
}

void PhaseClock::tag(PowerSample& sample) const
{
    std::vector<PhaseSpan> phases;
    {
        const std::lock_guard lock(m_mutex);
        phases = m_phases;
        if (m_goingOn)
            phases.back().time.end_ns = std::max(phases.back().time.end_ns, sample.window.end_ns);
    }
    std::vector<PowerSample> samples{sample};
    energy::tagPhases(samples, phases);
    sample = samples.front();
}

} // namespace ep::session
