// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/known_energy.h"

namespace ep {

namespace {

void addRest(Tally& sum, Nanoseconds duration)
{
    const Nanoseconds rest = wrappingDifference(duration, sum.duration_ns);
    if (rest > 0)
        sum.add(rest, std::nullopt, Provenance::Missing);
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
    addRest(sum, phase.time.duration_ns());
    return sum;
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
    addRest(sum, run.trace.time.duration_ns());
    return sum;
}

} // namespace ep
