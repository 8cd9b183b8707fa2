// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/dock_badge.h"

#include <string>

namespace ep::ui {

void DockBadge::show(std::optional<int> percent)
{
    if (!m_runtime || percent == m_shown)
        return;
    m_shown = percent;
    void* const application =
        send(*m_runtime, m_runtime->get_class("NSApplication"), "sharedApplication");
    void* const tile = send(*m_runtime, application, "dockTile");
    void* label = nullptr;
    if (percent) {
        const std::string text = std::to_string(*percent) + " %";
        label = send(*m_runtime, m_runtime->get_class("NSString"),
                     "stringWithUTF8String:", text.c_str());
    }
    send(*m_runtime, tile, "setBadgeLabel:", label);
}

} // namespace ep::ui
