// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/remainder.h"

namespace ep::energy {

Tally remainderOfRun(const Run& run)
{
    Tally parts;
    for (const PhaseSpan& phase : run.trace.phases) {
        if (phase.phase != Phase::Idle)
            parts.add(tallyOf(phase.time, phase.energy));
    }
    return tallyOf(run.trace.time, run.metrics.energy) - parts;
}

} // namespace ep::energy
