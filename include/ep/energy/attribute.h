// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/energy_record.h"
#include "ep/core/run.h"
#include "ep/core/trace.h"

#include <optional>

namespace ep::energy {

struct AttributionSettings {
    AttributionMethod method = AttributionMethod::Cost;
    bool align = true; // look for an offset between load and power, and use a significant one

    bool operator==(const AttributionSettings&) const = default;
};

// Fills in every energy field of the trace from its samples, its spans and their work; samples and
// spans stay as they are but for the phase tags.
//
//  by time: a window's energy belongs evenly to its time.
//  by cost: its static part (baseline x time) evenly; the rest in proportion to
//           a x bytes + b x FLOPs + c x time, with a, b, c >= 0 fitted over the run's windows, rail
//           by rail. Falls back to time, with the reason in the record's note, when the data cannot
//           tell them apart.
//
// Both keep every window's energy, so nested spans add up exactly (energy_timeline.h). The energies
// are those of the method in the record; `alternative` holds the other one's. Every value gets a
// standard deviation from the resolution of the samples, their alignment, and the fit
// (docs/energy.md). Pure; any thread; a few seconds for ten million spans.
struct Attribution {
    AttributionRecord record;
    EnergyValue run; // of trace.time
};
Attribution attribute(RunTrace& trace, const AttributionSettings& settings,
                      const std::optional<BaselineRecord>& baseline);

// The same by time alone, without baseline, alignment and second method: for estimates while a run
// goes on, from samples that may not have all rails of its total.
void attributeByTime(RunTrace& trace, const std::vector<Rail>& rails = {});

// All energies, figures and the record of a whole run, with the baseline it carries. A twin run's
// are those of its clean execution (twin.h).
void attribute(Run& run, const AttributionSettings& settings);

// For a run that comes with samples and spans but without energies (made by hand): its baseline
// from its idle phase, then everything as above. Does nothing when the energies are there.
void completeEnergies(Run& run);

// Sets phase (the one that covers most of the window; idle where none does) and phase_confidence.
void tagPhases(std::vector<PowerSample>& samples, const std::vector<PhaseSpan>& phases);

} // namespace ep::energy
