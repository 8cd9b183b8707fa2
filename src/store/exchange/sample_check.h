// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/json_reader.h"

#include "ep/core/power_sample.h"

#include <vector>

namespace ep::store {

// Sorts the samples of an import by time. Reports one that repeats time of another: a summary of
// others, or a window that reaches into the one before it by more than stampTolerance(). `list` is
// the place of the samples, which are in the order of the text.
void checkSamples(std::vector<PowerSample>& samples, const JsonPlace& list, JsonProblem& problem);

} // namespace ep::store
