// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

namespace ep::energy {

// Figures of the run; the trace's energies must have been attributed. inputTokens: prompt length.
RunMetrics computeMetrics(const RunTrace& trace, int inputTokens);

// How the samples came in over the run's time.
PowerQuality assessQuality(const RunTrace& trace, std::int64_t askedIntervalMs);

} // namespace ep::energy
