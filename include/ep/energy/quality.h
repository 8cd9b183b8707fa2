// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ep::energy {

// Quality of the samples during the run: coverage, rails that stay at zero while the machine is
// busy, counters published in batches, thermal pressure. judgeQuality() adds the verdict.
PowerQuality assessQuality(const RunTrace& trace, std::int64_t askedIntervalMs);

// Sets verdict and reasons from the other fields.
void judgeQuality(PowerQuality& quality);

// "97.0 %"; "100.0 %" only if nothing is missing.
std::string coverageText(double coverage);

// Whether another's share of all processors disturbs a run, a calibration or a baseline: more than
// 5 %, or more than half of one processor. processors: 0 if unknown.
bool disturbs(const std::optional<double>& share, std::int64_t processors);

// Who else used the processors during the run, one sentence each; empty: no significant use.
std::vector<Message> loadReasons(const PowerQuality& quality);

} // namespace ep::energy
