// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/power_sample.h"
#include "ep/core/time_range.h"
#include "ep/energy/work_curve.h"

#include <span>
#include <vector>

namespace ep::energy {

// The delay of power relative to the load that causes it.
struct Offset {
    Nanoseconds ns = 0; // positive: the samples are late
    double sd_ns = 0.0;
    double correlation = 0.0; // correlation of load and power at that offset, 0..1
    bool significant = false;
};

// Intervals of load of up to two kinds (prefill and the rest of a run, or a single square wave).
// Known work inside them predicts the power better.
struct LoadShape {
    std::vector<TimeRange> first{}; // sorted, not overlapping
    std::vector<TimeRange> second{};
    const WorkCurve* work = nullptr;
    // Whether samples may be early, because their times are from another clock. Otherwise power can
    // only follow the load; if it seems to lead, that is due to work before the run.
    bool may_lead = true;
};

// Cross-correlates the load, averaged over the samples' true windows, with their power: finds the
// shift within +- two median windows at which power = base + p x first + q x second (or base + a x
// bytes + b x FLOPs) has the smallest residual. Significant if it explains the power clearly
// better than no shift, and exceeds three standard deviations (from the curvature of the residual)
// and 1 ms. Not searched for if the load is shorter than a window.
Offset findOffset(std::span<const PowerSample> samples, const LoadShape& load);

} // namespace ep::energy
