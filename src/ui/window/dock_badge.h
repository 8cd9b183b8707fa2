// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/objective_c.h"

#include <optional>

namespace ep::ui {

// Shows progress on the program's icon in the Dock (NSApp.dockTile.badgeLabel). Does nothing
// without Objective-C. GUI thread only.
class DockBadge {
public:
    explicit DockBadge(std::optional<ObjectiveC> runtime = findObjectiveC())
        : m_runtime(runtime)
    {
    }

    void show(std::optional<int> percent); // absent: no badge

private:
    std::optional<ObjectiveC> m_runtime;
    std::optional<int> m_shown;
};

} // namespace ep::ui
