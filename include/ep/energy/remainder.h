// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/core/tally.h"

namespace ep::energy {

// What a node has that its children do not explain. The energy is absent when the node's or any
// child's is.
Tally remainderOfRun(const Run& run); // run - phases
Tally remainderOfPhase(const RunTrace& trace, const PhaseSpan& phase); // phase - sections
Tally remainderOfToken(const RunTrace& trace, const TokenSpan& token); // token - sections
Tally remainderOfLayers(const RunTrace& trace, const SectionSpan& layers); // `layers` - layers
Tally remainderOfLayer(const RunTrace& trace, const LayerSpan& layer); // layer - components

} // namespace ep::energy
