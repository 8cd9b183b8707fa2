// SPDX-License-Identifier: GPL-3.0-or-later
#include "closure.h"

#include <algorithm>
#include <cmath>

namespace ep::energy {

namespace {

// Sums one parent's children, which are added in order of time.
class ClosureSum {
public:
    ClosureSum(const EnergyTimeline& timeline, const TimeRange& parent)
        : m_timeline(timeline)
        , m_parent(parent)
        , m_until(parent.begin_ns)
    {
    }

    void add(const TimeRange& child, std::optional<Millijoules> value)
    {
        gap(child.begin_ns);
        m_known = m_known && value && child.begin_ns >= m_until && m_parent.contains(child);
        m_sum += value ? value->value : 0.0;
        m_until = std::max(m_until, child.end_ns);
    }

    // 0 if the whole or a part is missing or children overlap: then no sum is expected to match.
    double error(std::optional<Millijoules> whole)
    {
        gap(m_parent.end_ns);
        if (!m_known || !whole || whole->value == 0.0)
            return 0.0;
        return std::abs(m_sum - whole->value) / std::abs(whole->value);
    }

private:
    void gap(Nanoseconds until)
    {
        if (until <= m_until)
            return;
        const auto energy = m_timeline.totalOver({m_until, until});
        m_known = m_known && energy;
        m_sum += energy ? energy->value : 0.0;
        m_until = until;
    }

    const EnergyTimeline& m_timeline;
    TimeRange m_parent;
    Nanoseconds m_until;
    double m_sum = 0.0;
    bool m_known = true;
};

// Both lists must be sorted by time, since `child` only moves forward.
template <typename Parent, typename Child, typename EnergyOf>
double levelError(const EnergyTimeline& timeline, const std::vector<Parent>& parents,
                  const std::vector<Child>& children, EnergyOf energyOf)
{
    double worst = 0.0;
    auto child = children.begin();
    for (const Parent& parent : parents) {
        while (child != children.end() && child->time.begin_ns < parent.time.begin_ns)
            ++child;
        ClosureSum sum(timeline, parent.time);
        for (; child != children.end() && child->time.begin_ns < parent.time.end_ns; ++child)
            sum.add(child->time, energyOf(*child));
        worst = std::max(worst, sum.error(energyOf(parent)));
    }
    return worst;
}

} // namespace

double closureOf(const RunTrace& trace, const EnergyTimeline& timeline)
{
    const auto rich = [](const auto& span) { return span.energy.total_mj; };
    const auto plain = [](const auto& span) { return span.energy_mj; };
    std::vector<PhaseSpan> phases;
    for (const PhaseSpan& phase : trace.phases) {
        if (phase.phase != Phase::Idle)
            phases.push_back(phase);
    }
    const std::vector<PhaseSpan> run{
        {.phase = Phase::Idle, .time = trace.time, .energy = timeline.over(trace.time)}};
    return std::max({levelError(timeline, run, phases, rich),
                     levelError(timeline, phases, trace.sections, rich),
                     levelError(timeline, trace.tokens, trace.sections, rich),
                     levelError(timeline, trace.layers, trace.components, plain),
                     levelError(timeline, trace.components, trace.operations, plain)});
}

} // namespace ep::energy
