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

// Whether marks measure the time
// of the work between them:
// known work runs once and then
// four
std::string checkMarks(SpanTimer& timer, const ClockSubject& subject);

} // namespace ep::model
