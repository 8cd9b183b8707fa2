// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/activity.h"

#include "run/activities.h"

#include "ep/core/shared_library.h"

#include <cstdint>
#include <fcntl.h>
#include <unistd.h>

namespace ep::session {

namespace {

// NSActivityOptions. UserInitiated prevents idle sleep, App Nap and termination of the program;
// LatencyCritical keeps its timers precise.
constexpr std::uint64_t kUserInitiated = 0x00FFFFFF;
constexpr std::uint64_t kLatencyCritical = 0xFF00000000;

constexpr std::uint64_t kPatienceUs = 2'000'000;

// The functions used from libsystemd, with prototypes of our own; sd-bus(3).
struct SystemBus {
    SharedLibrary library;
    int (*open)(void** bus) = nullptr;
    void* (*close)(void* bus) = nullptr;
    int (*set_timeout)(void* bus, std::uint64_t microseconds) = nullptr;
    int (*call)(void* bus, const char* destination, const char* path, const char* interface,
                const char* member, void* error, void** reply, const char* types, ...) = nullptr;
    int (*read)(void* message, char type, void* value) = nullptr;
    void* (*unref)(void* message) = nullptr;

    bool load()
    {
        return library.load(open, "sd_bus_open_system")
            && library.load(close, "sd_bus_flush_close_unref")
            && library.load(set_timeout, "sd_bus_set_method_call_timeout")
            && library.load(call, "sd_bus_call_method")
            && library.load(read, "sd_bus_message_read_basic")
            && library.load(unref, "sd_bus_message_unref");
    }
};

// The lock, or -1.
int inhibit(const SystemBus& system, void* bus, const char* what, const std::string& reason)
{
    void* reply = nullptr;
    if (system.call(bus, "org.freedesktop.login1", "/org/freedesktop/login1",
                    "org.freedesktop.login1.Manager", "Inhibit", nullptr, &reply, "ssss", what,
                    "Energy Profiler", reason.c_str(), "block")
        < 0)
        return -1;
    int lent = -1; // belongs to the reply
    int lock = -1;
    if (system.read(reply, 'h', &lent) > 0)
        lock = ::fcntl(lent, F_DUPFD_CLOEXEC, 3);
    system.unref(reply);
    return lock;
}

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

SleepInhibitor::SleepInhibitor(const std::string& reason)
{
    auto library = SharedLibrary::open(pathFrom("EP_SYSTEMD", "libsystemd.so.0"), "libsystemd",
                                       "the system may fall asleep");
    SystemBus system;
    if (library)
        system.library = std::move(*library);
    void* bus = nullptr;
    if (!system.load() || system.open(&bus) < 0) {
        m_detail = "There is no systemd-logind to keep this machine awake.";
        return;
    }
    system.set_timeout(bus, kPatienceUs);
    m_lock = inhibit(system, bus, "sleep:idle", reason);
    const bool whole = held();
    if (!whole)
        m_lock = inhibit(system, bus, "idle", reason);
    system.close(bus);
    if (whole)
        m_detail = "systemd-logind keeps this machine awake.";
    else if (held())
        m_detail =
            "systemd-logind keeps this machine from idling; only the session at the screen may "
            "forbid sleep.";
    else
        m_detail = "systemd-logind refused to keep this machine awake.";
}

SleepInhibitor::~SleepInhibitor()
{
    if (held())
        ::close(m_lock);
}

std::unique_ptr<Activity> beginActivity(const std::string& reason)
{
    if (const auto runtime = findObjectiveC())
        return std::make_unique<ProcessActivity>(*runtime, reason);
    return std::make_unique<SleepInhibitor>(reason);
}

} // namespace ep::session
