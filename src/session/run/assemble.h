// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/recording.h"
#include "run/settle.h"

#include "ep/core/run.h"

namespace ep::session {

// The run as it is stored and shown: its record with energies, figures and the quality of its
// samples. `model` is null if none was loaded, `recording` if the run never started.
Run assembleRun(const RunScope& scope, RunInfo info, const LoadedModel* model,
                const Recording* recording, const Rehearsals& rehearsals);

} // namespace ep::session
