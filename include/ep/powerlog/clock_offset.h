// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/powerlog/recording.h"

#include <span>
#include <vector>

// The offset between the clock of a power recording and the clock of the load. Pure.
namespace ep::powerlog {

struct ClockOffset {
    double seconds = 0.0; // to add to the times of the power
    double low_s = 0.0; // 95 % interval
    double high_s = 0.0;
    double correlation = 0.0; // between load and power at that offset
};

// Cross-correlates at all offsets at which most of the load lies inside the recording, then fits
// power = a + b x load around the best one by least squares. Refuses with one sentence if nothing
// correlates, or if another offset fits as well, for example because the load repeats.
Result<ClockOffset> findClockOffset(std::span<const Window> power,
                                    const std::vector<TimeRange>& load);

} // namespace ep::powerlog
