// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <optional>

namespace ep::energy {

// The energies of prefill and decode before they were attributed anew; absent where missing.
struct PhaseEnergies {
    std::optional<Millijoules> prefill;
    std::optional<Millijoules> decode;
};
PhaseEnergies phaseEnergies(const RunTrace& trace);

// Makes a twin run's energies and figures those of its clean execution; for a run whose energies
// have just been attributed, and so are those of the instrumented one.
//
// Joules, time, power, EDP and peak of the run then belong to one execution, the clean one: its
// duration is that of the run with prefill and decode as short as they were there. Spans keep the
// times that were recorded; their energies are multiplied by one factor for each phase, so shares
// stay. The factors are kept in the record (TwinRecord::scale): the ratio of both executions by
// time, where samples cover both; else those that the record has; else (runs of before, which have
// no factors) those that give prefill and decode the clean energies that were stored. Where there
// is none of these, the run stays as it was recorded and claims nothing else.
void takeCleanExecution(Run& run, const PhaseEnergies& stored);

} // namespace ep::energy
