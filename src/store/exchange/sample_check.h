// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/json_reader.h"

#include "ep/core/power_sample.h"

#include <vector>

namespace ep::store {

// Sorts the samples of an import by time. Reports samples that repeat time of others: summaries, or
// windows that overlap the previous one by more than timestampTolerance(). `list` is the place of
// the samples, which are in document order.
void checkSamples(std::vector<PowerSample>& samples, const JsonPlace& list, JsonProblem& problem);

} // namespace ep::store
