// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "power/clock_watch.h"
#include "run/recording.h"
#include "run/settle.h"

#include "ep/core/run.h"
#include "ep/core/trace.h"

#include <vector>

namespace ep::session {

// Cuts out of a run the times in which its program did not run, so that they belong to no phase,
// token or layer: everything after a pause moves forward by its length. A pause is known only to
// within a beat, but nothing was recorded in it, so it is the longest time without a beginning or
// an end. Samples that overlap a pause contain another time's energy and are discarded. The
// annotations are on the run's clock.
void cutPauses(const std::vector<Interruption>& interruptions, RunTrace& trace,
               std::vector<Annotation>& annotations);

// The run as it is stored and shown: its record with energies, figures and the quality of its
// samples. `model` is null if none was loaded, `recording` if the run never started.
Run assembleRun(const RunScope& scope, RunInfo info, const LoadedModel* model,
                const Recording* recording, const Rehearsals& rehearsals);

} // namespace ep::session
