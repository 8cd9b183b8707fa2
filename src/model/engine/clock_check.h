// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/engine.h"

#include <functional>
#include <string>

namespace ep::model {

// A device to put to the test.
struct ClockSubject {
    std::function<void(int times)> work; // gives it the same small piece of work so many times
    std::function<void()> wait; // until it has done all of it
    std::function<Nanoseconds()> now; // the host's monotonic clock
};

// Whether marks tell the time of the work between them: a known piece of work is done once and four
// times, some rounds of it. The ratio of the two times must lie between 3.6 and 4.4 (in the median
// round), the order must be right and the sum not longer than the wall time (in every round).
// Empty when all holds, else what does not. May throw what the subject throws.
std::string checkMarks(SpanTimer& timer, const ClockSubject& subject);

} // namespace ep::model
