// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/run_scope.h"
#include "run/transcript.h"

#include "ep/core/run.h"

namespace ep::session {

// A run that may begin: its model is loaded and its prompts fit.
struct PreparedRun {
    LoadedModel* model = nullptr; // never null; good until the next run
    Transcript transcript;

    // What to generate; the prompts are encoded anew each time.
    Result<model::GenerationRequest> generation(const RunRequest& request);
};

// Loads the model, with the idle machine measured before it where that is asked for. info gets what
// becomes known on the way, also where something fails.
Result<PreparedRun> prepareRun(const RunScope& scope, RunInfo& info);

} // namespace ep::session
