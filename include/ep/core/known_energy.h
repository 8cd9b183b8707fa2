// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/core/tally.h"

namespace ep {

// What is known of the energy of a phase, or of a whole run: its own energy; where some of its time
// is not covered by samples, that of the tokens (of a run: of the phases and tokens) that have one.
Tally knownEnergy(const RunTrace& trace, const PhaseSpan& phase);
Tally knownEnergy(const Run& run);

} // namespace ep
