// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

namespace ep::energy {

// What a node has that its children do not explain. The energy is absent when the node's or any
// child's is.
struct Remainder {
    Nanoseconds duration_ns = 0;
    std::optional<Millijoules> energy_mj;
};

Remainder remainderOfRun(const Run& run); // run - phases
Remainder remainderOfPhase(const RunTrace& trace, const PhaseSpan& phase); // phase - sections
Remainder remainderOfToken(const RunTrace& trace, const TokenSpan& token); // token - sections
Remainder remainderOfLayers(const RunTrace& trace, const SectionSpan& layers); // `layers` - layers
Remainder remainderOfLayer(const RunTrace& trace, const LayerSpan& layer); // layer - components

} // namespace ep::energy
