// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/model/config.h"

namespace ep::session {

// Fills in the work of the sections and components known to the analytic model
// (ep/model/analytic.h).
void analyticWork(RunTrace& trace, const RunInfo& info, const model::ModelConfig& config);

} // namespace ep::session
