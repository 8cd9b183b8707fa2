// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/energy_timeline.h"

namespace ep::energy {

// Mean power of the windows inside a block, without the highest and lowest tenth and without
// outliers that other processes caused.
struct BlockPower {
    double watts = 0.0;
    double sd = 0.0; // of the mean, from the scatter of the windows
    int windows = 0;
};

// repetition: how long one repetition takes, in seconds. Windows are expected to have equal power
// only if each contains a whole repetition.
BlockPower powerIn(const EnergyTimeline& timeline, const TimeRange& time, double repetition);

} // namespace ep::energy
