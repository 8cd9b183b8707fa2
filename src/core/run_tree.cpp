// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/run_tree.h"

#include "ep/core/known_energy.h"

#include <algorithm>

namespace ep {

std::vector<PhaseSum> sumsOfPhases(const RunTrace& trace)
{
    std::vector<PhaseSum> sums;
    for (const PhaseSpan& span : trace.phases) {
        if (span.phase == Phase::Idle)
            continue;
        auto found = std::ranges::find(sums, span.phase, &PhaseSum::phase);
        if (found == sums.end())
            found = sums.insert(found, PhaseSum{span.phase, {}});
        found->sum.add(knownEnergy(trace, span));
    }
    for (const SectionSpan& span : trace.sections) {
        const auto found = std::ranges::find(sums, span.phase, &PhaseSum::phase);
        if (found != sums.end())
            found->sections[span.section].add(tallyOf(span.time, span.energy));
    }
    return sums;
}

EnergyValue valueOf(const Tally& sum)
{
    EnergyValue value;
    value.total_mj = sum.energy_mj;
    value.sd_mj = sum.sd_mj;
    value.provenance = sum.energy_mj ? sum.provenance : Provenance::Missing;
    return value;
}

} // namespace ep
