// SPDX-License-Identifier: GPL-3.0-or-later
#include "span_energies.h"

#include "span_kind.h"

#include <optional>
#include <vector>

namespace ep::energy {

namespace {

// An energy split by time is known to be off by its difference from the one split by cost.
double deviation(double sd, Millijoules energy, std::optional<Millijoules> alternative,
                 const Distributions& distributions)
{
    const bool biased = !distributions.byCost && alternative;
    return biased ? withBias(sd, energy.value - alternative->value) : sd;
}

void noteValue(EnergyValue& energy, const TimeRange& time, const Distributions& distributions)
{
    if (!energy.total_mj)
        return;
    if (distributions.other != nullptr)
        energy.alternative_mj = distributions.other->totalOver(time);
    if (distributions.uncertainty == nullptr)
        return;
    const double sd = distributions.uncertainty->of(time).value_or(0.0);
    const double known = deviation(sd, *energy.total_mj, energy.alternative_mj, distributions);
    if (distributions.refused)
        energy = {};
    energy.sd_mj = Millijoules{known};
}

std::optional<double> deviationOf(const LayerSpan& span, const Uncertainty& uncertainty)
{
    return uncertainty.of(span.time);
}

// Handles components and operations.
template <typename Span>
std::optional<double> deviationOf(const Span& span, const Uncertainty& uncertainty)
{
    return uncertainty.of(span.time, spanKindOf(span.component), span.token == 0);
}

template <typename Span>
void fillSpans(std::vector<Span>& spans, const Distributions& distributions)
{
    for (Span& span : spans) {
        span.energy_mj = distributions.used.totalOver(span.time);
        span.energy_notes = {};
        if (!span.energy_mj || distributions.uncertainty == nullptr)
            continue;
        std::optional<Millijoules> alternative;
        if (distributions.other != nullptr)
            alternative = distributions.other->totalOver(span.time);
        if (alternative)
            span.energy_notes.alternative_mj = static_cast<float>(alternative->value);
        const double sd = deviationOf(span, *distributions.uncertainty).value_or(0.0);
        const double known = deviation(sd, *span.energy_mj, alternative, distributions);
        if (distributions.refused) {
            span.energy_mj.reset();
            span.energy_notes = {};
        }
        span.energy_notes.sd_mj = static_cast<float>(known);
    }
}

} // namespace

EnergyValue valueOver(const TimeRange& time, const Distributions& distributions)
{
    EnergyValue energy = distributions.used.over(time);
    noteValue(energy, time, distributions);
    return energy;
}

void fillEnergies(RunTrace& trace, const Distributions& distributions)
{
    for (PhaseSpan& phase : trace.phases)
        phase.energy = valueOver(phase.time, distributions);
    for (SectionSpan& section : trace.sections)
        section.energy = valueOver(section.time, distributions);
    for (TokenSpan& token : trace.tokens) {
        token.energy = valueOver(token.time, distributions);
        token.power_snapshot_mw =
            distributions.used.powerAt(token.time.begin_ns + token.time.duration_ns() / 2);
    }
    fillSpans(trace.layers, distributions);
    fillSpans(trace.components, distributions);
    fillSpans(trace.operations, distributions);
}

} // namespace ep::energy
