// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/remainders.h"

#include "ep/core/trace_lookup.h"

namespace ep::test {

namespace {

template <typename Span>
Tally tallyOfNode(const Span& span)
{
    if constexpr (requires { span.energy; })
        return tallyOf(span.time, span.energy);
    else
        return tallyOf(span.time.duration_ns(), span.energy_mj, Provenance::Attributed);
}

} // namespace

Tally remainderOfPhase(const RunTrace& trace, const PhaseSpan& phase)
{
    Tally parts;
    for (const SectionSpan& section : trace.sections) {
        if (section.phase == phase.phase)
            parts.add(tallyOfNode(section));
    }
    return tallyOfNode(phase) - parts;
}

Tally remainderOfToken(const RunTrace& trace, const TokenSpan& token)
{
    Tally parts;
    for (const SectionSpan& section : trace.sections) {
        if (section.token == token.index)
            parts.add(tallyOfNode(section));
    }
    return tallyOfNode(token) - parts;
}

Tally remainderOfLayers(const RunTrace& trace, const SectionSpan& layers)
{
    Tally parts;
    for (const LayerSpan& layer : layersOf(trace, layers.token))
        parts.add(tallyOfNode(layer));
    return tallyOfNode(layers) - parts;
}

Tally remainderOfLayer(const RunTrace& trace, const LayerSpan& layer)
{
    Tally parts;
    for (const ComponentSpan& component : componentsOf(trace, layer.token, layer.layer))
        parts.add(tallyOfNode(component));
    return tallyOfNode(layer) - parts;
}

} // namespace ep::test
