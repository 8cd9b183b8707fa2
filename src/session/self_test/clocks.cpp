// SPDX-License-Identifier: GPL-3.0-or-later
#include "self_test/groups.h"

namespace ep::session {

void checkClocks(SelfTestContext& context)
{
    if (!context.engine)
        return;
    bool any = false;
    for (const std::string& device : context.engine->devices()) {
        if (device == "cpu" || context.cancel.cancelled())
            continue;
        any = true;
        const auto engine = context.engine->load(
            {.folder = context.request.model, .device = device, .dtype = "f32"}, {},
            context.cancel);
        if (!engine) {
            context.fail("clock", device, engine.error().message,
                         "choose another device, and report this");
            continue;
        }
        const auto timer = (*engine)->makeSpanTimer();
        const std::string note = (*engine)->clockNote();
        if (timer)
            context.ok("clock", device,
                       "its events pass their test" + (note.empty() ? "" : "; " + note));
        else
            context.fail("clock", device, note, "report this; until then use --exact");
    }
    if (!any)
        context.notHere("clock", "events", "the processor is the only device");
}

} // namespace ep::session
