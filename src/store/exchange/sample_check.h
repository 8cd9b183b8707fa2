// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/json_reader.h"

#include "ep/core/power_sample.h"

#include <vector>

namespace ep::store {

// Sorts imported samples by time. Reports samples that repeat the time of others: summaries, or
// windows that overlap the previous one by more than timestampTolerance(). `list` is the place of
// the samples, which are in the order of the document.
void checkSamples(std::vector<PowerSample>& samples, const JsonPlace& list, JsonProblem& problem);

} // namespace ep::store
