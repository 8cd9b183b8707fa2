// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/energy_record.h"
#include "ep/core/run.h"
#include "ep/core/trace.h"

#include <optional>

namespace ep::energy {

struct AttributionSettings {
    AttributionMethod method = AttributionMethod::Cost;
    bool align = true; // find an offset between load and power and apply it if significant

    bool operator==(const AttributionSettings&) const = default;
};

// Fills in every energy field of the trace from its samples, its spans and their work; samples and
// spans are unchanged except for the phase tags.
//
//  by time: a window's energy belongs evenly to its time.
//  by cost: its static part (baseline x time) evenly; the rest in proportion to
//           a x bytes + b x FLOPs + c x time, with a, b, c >= 0 fitted over the run's windows, rail
//           by rail. Falls back to time, with the reason in the record's note, when the data cannot
//           tell them apart.
//
// Both methods preserve the energy of every window, so nested spans add up exactly
// (energy_timeline.h). The energies are those of the method in the record; `alternative` holds the
// values of the other one. Every value gets a standard deviation from the resolution of the
// samples, their alignment, and the fit (docs/energy.md). Pure; any thread; a few seconds for ten
// million spans.
struct Attribution {
    AttributionRecord record;
    EnergyValue run; // energy over trace.time
};
Attribution attribute(RunTrace& trace, const AttributionSettings& settings,
                      const std::optional<BaselineRecord>& baseline);

// The same by time only, without baseline, alignment and second method: for estimates during a run,
// from samples that may lack some rails of the final total.
void attributeByTime(RunTrace& trace, const std::vector<Rail>& rails = {});

// All energies, figures and the record of a whole run, using its baseline. Those of a twin run
// refer to its clean execution (twin.h).
void attribute(Run& run, const AttributionSettings& settings);

// For a run that has samples and spans but no energies (created by hand): derives the baseline from
// its idle phase, then everything as above. Does nothing if the energies exist.
void completeEnergies(Run& run);

// Sets phase (the one that covers most of the window; idle where none does) and phase_confidence.
void tagPhases(std::vector<PowerSample>& samples, const std::vector<PhaseSpan>& phases);

} // namespace ep::energy
