// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <optional>

namespace ep::energy {

// The energies of prefill and decode before a new attribution; absent if missing.
struct PhaseEnergies {
    std::optional<Millijoules> prefill;
    std::optional<Millijoules> decode;
};
PhaseEnergies phaseEnergies(const RunTrace& trace);

// Converts a twin run's energies and figures to those of its clean execution, for a run whose
// energies were just attributed and still belong to the instrumented execution.
//
// Energy, time, power, EDP and peak of the run then all belong to the clean execution: the run's
// duration is that with the clean prefill and decode. Spans keep the recorded times; their energies
// are multiplied by one factor per phase, which preserves shares. The factors are stored in the
// record (TwinRecord::scale). They are the ratio of both executions by time if samples cover both;
// otherwise those already in the record; otherwise (runs from earlier versions without factors)
// those that give prefill and decode the stored clean energies.
//
// If none of these exist, the run stays as it was recorded.
void takeCleanExecution(Run& run, const PhaseEnergies& stored);

} // namespace ep::energy
