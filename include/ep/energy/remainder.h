// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/core/tally.h"

namespace ep::energy {

// The part of the run not explained by its phases. The energy is absent if that of the run or of
// any phase is.
Tally remainderOfRun(const Run& run);

} // namespace ep::energy
