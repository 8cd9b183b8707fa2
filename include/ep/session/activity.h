// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

namespace ep::session {

// While it lives, the system is asked to let this process work at full speed and not to fall
// asleep: on macOS by an activity of the process (without one, App Nap slows a program down whose
// window is covered), on Linux by systemd's inhibitor of idling and sleep. Ends with the object; a
// process that dies takes its request with it.
class Activity {
public:
    virtual ~Activity() = default;
    virtual bool held() const = 0;
    virtual std::string detail() const = 0; // what holds, or why nothing does; a sentence
    // The system slows hidden programs down, and did not take the request not to.
    virtual bool mayNap() const { return false; }
};

// The best that there is here; never null. Blocks for 2 s at most, usually for less than 1 ms.
// reason: what a person sees who asks the system, "Profiling a model".
std::unique_ptr<Activity> beginActivity(const std::string& reason);

} // namespace ep::session
