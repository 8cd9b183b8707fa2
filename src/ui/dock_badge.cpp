// SPDX-License-Identifier: GPL-3.0-or-later
#include "dock_badge.h"

#include <dlfcn.h>
#include <string>

namespace ep::ui {

namespace {

template <typename... Arguments>
void* send(const ObjectiveC& runtime, void* receiver, const char* message, Arguments... arguments)
{
    using Send = void* (*)(void*, void*, Arguments...);
    return reinterpret_cast<Send>(runtime.send)(receiver, runtime.selector(message), arguments...);
}

template <typename Function>
bool find(Function& function, const char* name)
{
    function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
    return function != nullptr;
}

} // namespace

std::optional<ObjectiveC> findObjectiveC()
{
    ObjectiveC runtime;
    if (find(runtime.get_class, "objc_getClass") && find(runtime.selector, "sel_registerName")
        && find(runtime.send, "objc_msgSend"))
        return runtime;
    return std::nullopt;
}

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
