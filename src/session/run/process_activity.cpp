// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/process_activity.h"

#include <cstdint>

namespace ep::session {

namespace {

// NSActivityOptions. UserInitiated prevents idle sleep, App Nap and termination of the program;
// LatencyCritical keeps its timers precise.
constexpr std::uint64_t kUserInitiated = 0x00FFFFFF;
constexpr std::uint64_t kLatencyCritical = 0xFF00000000;

} // namespace

ProcessActivity::ProcessActivity(const ObjectiveC& runtime, const std::string& reason)
    : m_runtime(runtime)
{
    const AutoreleasePool pool(m_runtime);
    m_process = send(m_runtime, m_runtime.get_class("NSProcessInfo"), "processInfo");
    void* const text =
        send(m_runtime, m_runtime.get_class("NSString"), "stringWithUTF8String:", reason.c_str());
    m_token = send(m_runtime, m_process,
                   "beginActivityWithOptions:reason:", kUserInitiated | kLatencyCritical, text);
    send(m_runtime, m_token, "retain");
}

ProcessActivity::~ProcessActivity()
{
    if (m_token == nullptr)
        return;
    const AutoreleasePool pool(m_runtime);
    send(m_runtime, m_process, "endActivity:", m_token);
    send(m_runtime, m_token, "release");
}

std::string ProcessActivity::detail() const
{
    return held() ? "macOS leaves this program out of App Nap and does not fall asleep on its own."
                  : "macOS did not take the request to leave this program out of App Nap.";
}

} // namespace ep::session
