// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/milliseconds.h"

#include "ep/core/power_sample.h"

#include <vector>

namespace ep::test {

// A sample with a CPU counter and, if gpu >= 0, a GPU counter.
inline PowerSample counterSample(Nanoseconds begin_ms, Nanoseconds end_ms, double cpu_mj,
                                 double gpu_mj = -1.0)
{
    PowerSample sample;
    sample.window = {begin_ms * kMs, end_ms * kMs};
    sample.arrival_ns = sample.window.end_ns;
    sample.energy_mj[Rail::Cpu] = Millijoules{cpu_mj};
    sample.power_mw[Rail::Cpu] = meanPower(Millijoules{cpu_mj}, sample.window.duration_ns());
    if (gpu_mj >= 0.0) {
        sample.energy_mj[Rail::Gpu] = Millijoules{gpu_mj};
        sample.power_mw[Rail::Gpu] = meanPower(Millijoules{gpu_mj}, sample.window.duration_ns());
    }
    sample.total_mw = totalOf(sample.power_mw);
    return sample;
}

} // namespace ep::test
