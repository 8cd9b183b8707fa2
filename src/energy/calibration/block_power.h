// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/energy_timeline.h"

namespace ep::energy {

// Mean power of the windows inside a block, without its tenth at either end and without outliers,
// which other processes disturb.
struct BlockPower {
    double watts = 0.0;
    double sd = 0.0; // of the mean, as the windows scatter
    int windows = 0;
};

// repetition: seconds of what the block repeats. Only windows that contain it wholly should all
// have the same power.
BlockPower powerIn(const EnergyTimeline& timeline, const TimeRange& time, double repetition);

} // namespace ep::energy
