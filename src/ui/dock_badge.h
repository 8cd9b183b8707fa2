// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

namespace ep::ui {

// The C interface of Objective-C, as far as it is needed here; prototypes of our own, so that this
// compiles everywhere and can be tested with a fake.
struct ObjectiveC {
    void* (*get_class)(const char* name) = nullptr; // objc_getClass
    void* (*selector)(const char* name) = nullptr; // sel_registerName
    void (*send)() = nullptr; // objc_msgSend, cast to what a message takes
};

// That of this process; absent where it has none, that is anywhere but on a Mac.
std::optional<ObjectiveC> findObjectiveC();

// Progress at the program's icon in the Dock: NSApp.dockTile.badgeLabel. Without Objective-C it
// does nothing. GUI thread only.
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
