// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/energy_record.h"
#include "ep/core/run.h"
#include "ep/core/trace.h"

#include <optional>

namespace ep::energy {

struct AttributionSettings {
    AttributionMethod method = AttributionMethod::Cost;
    // The machine's and model's calibration for the method `calibrated`. Whether it applies to a
    // run is checked for whole runs only.
    std::optional<CalibrationRecord> calibration{};
    bool align = true; // find an offset between load and power, and apply it if significant
    bool power_may_lead = true; // as in LoadShape; the power source decides it for a whole run
    // For attribution by time only: splits a window at the border of two phases by the mean power
    // of each phase, taken from its whole windows. For runs whose phases are their finest known
    // parts.
    bool phase_levels = false;

    bool operator==(const AttributionSettings&) const = default;
};

// Fills in every energy field of the trace from its samples, its spans and their work; samples and
// spans are unchanged except for the phase tags.
//
//  by time: a window's energy is spread evenly over its time; in a window that reaches beyond the
//           run, the part outside has a power of its own (SpreadRule::run) if there is a baseline.
//  by cost: its static part (baseline x time) evenly; the rest in proportion to
//           (a x bytes + b x FLOPs + c x time)(1 + d of the kind of component), with a, b, c >= 0
//           fitted over the run's windows, rail by rail, and the factors d as far as the windows
//           show them (split_model.h). Falls back to time, with the reason in the record's note,
//           when the data cannot tell them apart.
//  calibrated: as by cost, with the factors d of decoding as a calibration measured them, which are
//           the same for all rails, since it only knows the total. Also works if the run's own
//           windows cannot tell costs apart; prefill is then by time. Falls back to cost without a
//           calibration that applies.
//
// All methods preserve the energy of every window, so nested spans add up exactly
// (energy_timeline.h). The energies come from the method in the record; `alternative` holds the
// values of the other one. Every value gets a standard deviation (src/energy/uncertainty.h); an
// energy of a run, phase or token is missing, with all parts of the token, if its deviation is
// above half of it; the deviation is kept and the record's note counts such energies. Energies from
// a model of the machine are exempt. Pure; any thread; a few seconds for ten million spans.
struct Attribution {
    AttributionRecord record;
    EnergyValue run; // energy of trace.time
};
Attribution attribute(RunTrace& trace, const AttributionSettings& settings,
                      const std::optional<BaselineRecord>& baseline);

// Divides energies by time only, without baseline, alignment and second method: for estimates
// during a run, from samples that may lack some rails of the final total.
void attributeByTime(RunTrace& trace, const std::vector<Rail>& rails = {});

// Computes all energies, figures and the record of a whole run, using its baseline. Requests in
// another program's recording keep their energies. The energies of a request to a server are split
// by the power levels of its phases, and only those that can be measured remain (server_rules.h). A
// run that has a share of the energy of overlapping requests is not changed, since the share is not
// its own measurement.
void attribute(Run& run, const AttributionSettings& settings);

// Gives every known energy of the run the provenance `imported`.
void markImported(Run& run);

// For a run created by hand that has samples and spans but no energies: derives the baseline from
// its idle phase, then computes the energies as above. Does nothing if there are energies.
void completeEnergies(Run& run);

// Sets phase (the one that covers most of the window, or idle if none does) and phase_confidence.
void tagPhases(std::vector<PowerSample>& samples, const std::vector<PhaseSpan>& phases);

} // namespace ep::energy
