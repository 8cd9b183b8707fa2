// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/remainders.h"

#include "ep/core/trace_lookup.h"

namespace ep::test {

namespace {

Tally tallyOfNode(const Span& span)
{
    return tallyOf(span);
}
template <typename Node>
Tally tallyOfNode(const Node& node)
{
    return tallyOf(node.time, node.energy);
}

} // namespace

Tally remainderOfPhase(const RunTrace& trace, const PhaseSpan& phase)
{
    Tally parts;
    for (const Span& section : trace.sections) {
        if (section.phase == phase.phase)
            parts.add(tallyOfNode(section));
    }
    return tallyOfNode(phase) - parts;
}

Tally remainderOfToken(const RunTrace& trace, const TokenSpan& token)
{
    Tally parts;
    for (const Span& section : trace.sections) {
        if (section.token == token.index)
            parts.add(tallyOfNode(section));
    }
    return tallyOfNode(token) - parts;
}

Tally remainderOfLayers(const RunTrace& trace, const Span& layers)
{
    Tally parts;
    for (const Span& layer : layersOf(trace, layers.token))
        parts.add(tallyOfNode(layer));
    return tallyOfNode(layers) - parts;
}

Tally remainderOfLayer(const RunTrace& trace, const Span& layer)
{
    Tally parts;
    for (const Span& component : componentsOf(trace, layer.token, layer.layer))
        parts.add(tallyOfNode(component));
    return tallyOfNode(layer) - parts;
}

} // namespace ep::test
