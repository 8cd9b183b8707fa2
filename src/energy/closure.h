// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/trace.h"
#include "ep/energy/energy_timeline.h"

namespace ep::energy {

// Largest |sum of parts - whole| / whole over the levels of both trees. The parts are the children
// in the trace and the intervals between them, taken from the timeline.
double closureOf(const RunTrace& trace, const EnergyTimeline& timeline);

} // namespace ep::energy
