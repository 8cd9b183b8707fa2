// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/engine.h"

#include <functional>
#include <string>

namespace ep::model {

// A device to put to the test.
struct ClockSubject {
    std::function<void(int times)> work; // repeats the same small piece of work
    std::function<void()> wait; // until all of it is done
    std::function<Nanoseconds()> now; // the host's monotonic clock
};

// Whether marks measure the time of the work between them: known work is executed once and four
// times, for several rounds. The ratio of the two times must be between 3.6 and 4.4 (in the median
// round), the order must be correct and the sum at most the wall time (in every round). Returns the
// failed condition, or an empty string. Exceptions of the subject are passed on.
std::string checkMarks(SpanTimer& timer, const ClockSubject& subject);

} // namespace ep::model
