// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

namespace ep::test {

// A run as charts encounter it: realistic proportions and noise, identical on every call.
struct ChartRunShape {
    int layers = 22;
    int tokens = 48;
    bool energy = true;
    bool modelled = false;
    Nanoseconds sample_interval_ns = 100'000'000;
    Nanoseconds decode_ns = 80'000'000; // per token
};

RunPtr makeChartRun(const ChartRunShape& shape = {});

} // namespace ep::test
