// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/attribute.h"

#include "ep/energy/energy_timeline.h"

namespace ep::energy {

void tagPhases(std::vector<PowerSample>& samples, const std::vector<PhaseSpan>& phases)
{
    for (PowerSample& sample : samples) {
        const Nanoseconds duration = sample.window.duration_ns();
        Nanoseconds idle = duration;
        Nanoseconds longest = 0;
        sample.phase = Phase::Idle;
        for (const PhaseSpan& phase : phases) {
            const Nanoseconds inside = intersection(sample.window, phase.time).duration_ns();
            if (phase.phase != Phase::Idle)
                idle -= inside;
            if (phase.phase != Phase::Idle && inside > longest) {
                longest = inside;
                sample.phase = phase.phase;
            }
        }
        if (idle >= longest) {
            longest = idle;
            sample.phase = Phase::Idle;
        }
        sample.phase_confidence =
            duration > 0 ? static_cast<double>(longest) / static_cast<double>(duration) : 0.0;
    }
}

void attributeByTime(RunTrace& trace)
{
    tagPhases(trace.samples, trace.phases);

    const EnergyTimeline timeline(trace.samples);
    for (PhaseSpan& phase : trace.phases)
        phase.energy = timeline.over(phase.time);
    for (SectionSpan& section : trace.sections)
        section.energy = timeline.over(section.time);
    for (TokenSpan& token : trace.tokens) {
        token.energy = timeline.over(token.time);
        token.power_snapshot_mw =
            timeline.powerAt(token.time.begin_ns + token.time.duration_ns() / 2);
    }
    for (LayerSpan& layer : trace.layers)
        layer.energy_mj = timeline.totalOver(layer.time);
    for (ComponentSpan& component : trace.components)
        component.energy_mj = timeline.totalOver(component.time);
    for (OperationSpan& operation : trace.operations)
        operation.energy_mj = timeline.totalOver(operation.time);
}

} // namespace ep::energy
