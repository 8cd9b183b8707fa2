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

// Finds the shift within two median windows, and at least 0.6 s, at which power = base + p x first
// + q x second (or base + a x bytes + b x FLOPs), averaged over the samples' true windows, has the
// smallest residual. It is significant if all of this holds:
//  - The windows scatter clearly more than their own errors.
//  - The shift explains them better than none: n ln(residual^2) falls by 16, and the residual to
//  0.7.
//  - It exceeds 1 ms and three standard deviations (from the curvature of n ln(residual^2)).
//  - Chance does not do as well: the same power played faster or slower, backwards, or at another
//    time, so that it has nothing to do with the load, fits as well at any of the shifts in at most
//    2 of 299 tries. Power with a single step fits anywhere, and so never passes.
// A load that is shorter than a window has no shift. Pure: the tries are the same every time.
Offset findOffset(std::span<const PowerSample> samples, const LoadShape& load);

} // namespace ep::energy
