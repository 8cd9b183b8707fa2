// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/activity.h"

#include "run/process_activity.h"
#include "run/sleep_inhibitor.h"

namespace ep::session {

std::unique_ptr<Activity> beginActivity(const std::string& reason)
{
    if (const auto runtime = findObjectiveC())
        return std::make_unique<ProcessActivity>(*runtime, reason);
    return std::make_unique<SleepInhibitor>(reason);
}

} // namespace ep::session
