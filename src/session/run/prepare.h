// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/run_scope.h"
#include "run/transcript.h"

#include "ep/core/run.h"

namespace ep::session {

// A run that is ready to begin: its model is loaded and its prompts fit.
struct PreparedRun {
    LoadedModel* model = nullptr; // never null; valid until the next run
    LoadedModel* draft = nullptr; // the model that proposes tokens; null: none
    Transcript transcript;

    // The generation request; encodes the prompts again each time.
    Result<model::GenerationRequest> generation(const RunRequest& request);
};

// Loads the model, after measuring the idle machine if requested. info is filled in step by step,
// even if a later step fails.
Result<PreparedRun> prepareRun(const RunScope& scope, RunInfo& info);

} // namespace ep::session
