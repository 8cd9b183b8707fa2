// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/prepare.h"
#include "run/twin_run.h"

#include <optional>

namespace ep::session {

// Generations before the run, with its prompts and seed, that show the effect of
// recording.
struct Rehearsals {
    std::optional<Rehearsal> clean; // without recording
    std::optional<Rehearsal> inexact; // recorded without waiting for the device
};

// Starts the power source, measures the idle machine, warms up, and rehearses as requested.
Result<Rehearsals> settleRun(const RunScope& scope, PreparedRun& prepared, const RunInfo& info);

} // namespace ep::session
