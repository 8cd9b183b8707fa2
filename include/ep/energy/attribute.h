// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

// From samples and spans to joules. Pure functions; any thread.
namespace ep::energy {

// Fills in every energy field of the trace from its samples, by time: a window's energy is spread
// evenly over it, a straddling window is split in proportion. Parents are integrated directly;
// children of a parent never exceed it by more than rounding, and the remainder (parent - children)
// is theirs to compute with remainderOf(). Tags each sample with its phase and confidence.
// Provenance: Measured when at least one whole window lies inside the span, Attributed when only
// parts do, Modelled when any contributing sample is modelled, Missing when less than the whole
// span is covered.
void attributeByTime(RunTrace& trace);

// Figures of the run; energies must have been attributed. inputTokens: prompt length.
RunMetrics computeMetrics(const RunTrace& trace, int inputTokens);

// How the samples came in over the run's time.
PowerQuality assessQuality(const RunTrace& trace, std::int64_t askedIntervalMs);

// What a parent has that its children do not explain: time and energy (absent if any part is).
struct Remainder {
    Nanoseconds duration_ns = 0;
    std::optional<Millijoules> energy_mj;
};
Remainder remainderOfRun(const RunTrace& trace); // run - phases
Remainder remainderOfPhase(const RunTrace& trace,
                           const PhaseSpan& phase); // phase - its sections outside tokens - tokens
Remainder remainderOfToken(const RunTrace& trace, const TokenSpan& token); // token - its sections
Remainder remainderOfLayers(const RunTrace& trace,
                            const TokenSpan& token); // section `layers` - layers
Remainder remainderOfLayer(const RunTrace& trace, const LayerSpan& layer); // layer - components

} // namespace ep::energy
