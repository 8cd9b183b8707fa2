// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

namespace ep::session {

// While this object exists, the system is asked to run the process at full speed and not to sleep:
// on macOS by an activity of the process (otherwise App Nap slows down a program whose window is
// covered), on Linux by systemd's inhibitor of idling and sleep. If the process dies, its request
// ends.
class Activity {
public:
    virtual ~Activity() = default;
    virtual bool held() const = 0;
    virtual std::string detail() const = 0; // a sentence on what is active, or why nothing is
    // Whether the system slows hidden programs down and refused to exempt this one.
    virtual bool mayNap() const { return false; }
};

// The best implementation for this system; never null. Blocks for at most 2 s, usually for less
// than 1 ms. reason: shown to users by the system, "Profiling a model".
std::unique_ptr<Activity> beginActivity(const std::string& reason);

} // namespace ep::session
