// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/power_sample.h"

#include <vector>

namespace ep::power {

// A counter that is published again after a long time produces a sample that overlaps others that
// lack its rail. Removes such samples and distributes their energy over the others, by time.
void foldLateReadings(std::vector<PowerSample>& samples);

} // namespace ep::power
