// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/core/tally.h"

namespace ep::energy {

// What the run has that its phases do not explain. The energy is absent when the run's or any
// phase's is.
Tally remainderOfRun(const Run& run);

} // namespace ep::energy
