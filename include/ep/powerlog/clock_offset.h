// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/powerlog/recording.h"

#include <span>
#include <vector>

// How far the clock of a recording of power is from the clock of the load. Pure.
namespace ep::powerlog {

struct ClockOffset {
    double seconds = 0.0; // to add to the times of the power
    double low_s = 0.0; // 95 % interval
    double high_s = 0.0;
    double correlation = 0.0; // between load and power at that offset
};

// Cross-correlation over all offsets at which most of the load lies inside the recording, then a
// least-squares fit of power = a + b x load around the best one. Refused, with one sentence, if
// nothing correlates, or if another offset fits as well, as with a load that repeats.
Result<ClockOffset> findClockOffset(std::span<const Window> power,
                                    const std::vector<TimeRange>& load);

} // namespace ep::powerlog
