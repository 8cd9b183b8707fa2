// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "import/recorded_energy.h"

#include "ep/session/import_power.h"

namespace ep::session {

// Fills result.run from the recording, the requests and the phases of `result`. shift: has been
// added to the times of the power.
void buildRun(const PowerImportOptions& options, const std::vector<RunRail>& rails,
              Nanoseconds shift, PowerImport& result);

} // namespace ep::session
