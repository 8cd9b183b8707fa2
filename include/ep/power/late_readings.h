// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/power_sample.h"

#include <vector>

namespace ep::power {

// A counter that was published again after a long time gives a sample that reaches back over
// others, which lack its rail. Takes such samples out and shares their energy out to those others,
// by time.
void foldLateReadings(std::vector<PowerSample>& samples);

} // namespace ep::power
