// SPDX-License-Identifier: GPL-3.0-or-later
#include "self_test/groups.h"

namespace ep::session {

void checkActivity(SelfTestContext& context)
{
    constexpr const char* kKeepAwake = "keep awake";
    if (!context.backend.beginActivity)
        return context.notHere("activity", kKeepAwake, "this program does not ask for it");
    const auto activity = context.backend.beginActivity("Testing Energy Profiler");
    if (activity->held())
        context.ok("activity", kKeepAwake, activity->detail());
    else if (activity->mayNap())
        context.fail("activity", kKeepAwake, activity->detail(),
                     "keep the window in sight during runs, and report this");
    else
        context.notHere("activity", kKeepAwake, activity->detail());
}

} // namespace ep::session
