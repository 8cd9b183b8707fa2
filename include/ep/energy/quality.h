// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

namespace ep::energy {

// How the samples came in over the run's time, and what can be seen in their values: rails that
// stand at zero while the machine works, counters that are published in batches, thermal pressure.
// The verdict is judgeQuality()'s.
PowerQuality assessQuality(const RunTrace& trace, std::int64_t askedIntervalMs);

// Fills in verdict and reasons from the other fields.
void judgeQuality(PowerQuality& quality);

} // namespace ep::energy
