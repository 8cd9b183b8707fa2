// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/known_energy.h"

#include <algorithm>

namespace ep {

namespace {

// Parts of one node, whose time may be longer.
Tally asNode(Tally parts, Nanoseconds duration)
{
    parts.duration_ns = std::max(parts.duration_ns, duration);
    parts.spans = 1;
    parts.energy_spans = parts.energy_mj ? 1 : 0;
    return parts;
}

} // namespace

Tally knownEnergy(const RunTrace& trace, const PhaseSpan& phase)
{
    if (phase.energy.total_mj)
        return tallyOf(phase.time, phase.energy);
    Tally sum;
    for (const TokenSpan& token : trace.tokens) {
        if (token.phase == phase.phase && phase.time.contains(token.time))
            sum.add(tallyOf(token.time, token.energy));
    }
    return asNode(sum, phase.time.duration_ns());
}

Tally knownEnergy(const Run& run)
{
    if (run.metrics.energy.total_mj)
        return tallyOf(run.trace.time, run.metrics.energy);
    Tally sum;
    for (const PhaseSpan& phase : run.trace.phases) {
        if (phase.phase != Phase::Idle)
            sum.add(knownEnergy(run.trace, phase));
    }
    return asNode(sum, run.trace.time.duration_ns());
}

} // namespace ep
