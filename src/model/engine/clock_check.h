// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/engine.h"

#include <functional>
#include <string>

namespace ep::model {

// A device to be tested.
struct ClockSubject {
    std::function<void(int times)> work; // repeats the same small piece of work
    std::function<void()> wait; // waits until all of it is done
    std::function<Nanoseconds()> now; // the host's monotonic clock
};

// Checks that marks measure the time of the work between them: known work runs once and then four
// times, for several rounds. The ratio of the two times must be between 3.6 and 4.4 (in the median
// round), the order must be correct and the sum at most the wall time (in every round). Returns the
// failed condition, or an empty string. Passes on exceptions of the subject.
std::string checkMarks(SpanTimer& timer, const ClockSubject& subject);

} // namespace ep::model
