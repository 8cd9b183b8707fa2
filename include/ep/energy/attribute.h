// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/trace.h"

namespace ep::energy {

// Fills in every energy field of the trace from its samples, by time: each span is integrated over
// the samples' windows (energy_timeline.h says how), so nested spans never get more than what holds
// them. Also tags each sample with its phase and confidence. Pure; any thread; about 1 s for ten
// million spans.
void attributeByTime(RunTrace& trace);

// Sets phase (the one that covers most of the window; idle where none does) and phase_confidence.
void tagPhases(std::vector<PowerSample>& samples, const std::vector<PhaseSpan>& phases);

} // namespace ep::energy
