// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/remainder.h"

#include "ep/core/trace_lookup.h"

namespace ep::energy {

namespace {

std::optional<Millijoules> energyOfNode(const EnergyValue& energy)
{
    return energy.total_mj;
}
std::optional<Millijoules> energyOfNode(std::optional<Millijoules> energy)
{
    return energy;
}

// Starts with the whole node; each child takes its part away.
class Rest {
public:
    Rest(Nanoseconds duration_ns, std::optional<Millijoules> energy_mj)
        : m_rest{duration_ns, energy_mj}
    {
    }

    template <typename Energy>
    void take(const TimeRange& time, const Energy& energy)
    {
        m_rest.duration_ns -= time.duration_ns();
        const std::optional<Millijoules> part = energyOfNode(energy);
        if (m_rest.energy_mj && part)
            *m_rest.energy_mj -= *part;
        else
            m_rest.energy_mj.reset();
    }

    Remainder remainder() const { return m_rest; }

private:
    Remainder m_rest;
};

} // namespace

Remainder remainderOfRun(const Run& run)
{
    Rest rest(run.trace.time.duration_ns(), run.metrics.energy.total_mj);
    for (const PhaseSpan& phase : run.trace.phases) {
        if (phase.phase != Phase::Idle)
            rest.take(phase.time, phase.energy);
    }
    return rest.remainder();
}

Remainder remainderOfPhase(const RunTrace& trace, const PhaseSpan& phase)
{
    Rest rest(phase.time.duration_ns(), phase.energy.total_mj);
    for (const SectionSpan& section : trace.sections) {
        if (section.phase == phase.phase)
            rest.take(section.time, section.energy);
    }
    return rest.remainder();
}

Remainder remainderOfToken(const RunTrace& trace, const TokenSpan& token)
{
    Rest rest(token.time.duration_ns(), token.energy.total_mj);
    for (const SectionSpan& section : trace.sections) {
        if (section.token == token.index)
            rest.take(section.time, section.energy);
    }
    return rest.remainder();
}

Remainder remainderOfLayers(const RunTrace& trace, const SectionSpan& layers)
{
    Rest rest(layers.time.duration_ns(), layers.energy.total_mj);
    for (const LayerSpan& layer : layersOf(trace, layers.token))
        rest.take(layer.time, layer.energy_mj);
    return rest.remainder();
}

Remainder remainderOfLayer(const RunTrace& trace, const LayerSpan& layer)
{
    Rest rest(layer.time.duration_ns(), layer.energy_mj);
    for (const ComponentSpan& component : componentsOf(trace, layer.token, layer.layer))
        rest.take(component.time, component.energy_mj);
    return rest.remainder();
}

} // namespace ep::energy
