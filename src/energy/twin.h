// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

namespace ep::energy {

// Measures the energies of both executions of a twin run over the steps that they share, from the
// samples and the offset found by attribution. If samples do not cover both, what the record
// already says stays.
void measureTwin(Run& run);

} // namespace ep::energy
