// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/prepare.h"
#include "run/twin_run.h"

#include <optional>

namespace ep::session {

// The generations before that of the run, with its prompts and seed, to determine the effect of
// recording.
struct Rehearsals {
    std::optional<Rehearsal> clean; // without recording
    std::optional<Rehearsal> inexact; // recorded without waiting for the device
};

// Power source, idle baseline, warm-up, and the requested rehearsals.
Result<Rehearsals> settleRun(const RunScope& scope, PreparedRun& prepared, const RunInfo& info);

} // namespace ep::session
