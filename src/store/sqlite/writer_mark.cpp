// SPDX-License-Identifier: GPL-3.0-or-later
#include "sqlite/writer_mark.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <optional>
#include <unistd.h>

#ifdef __APPLE__
#include <sys/proc.h>
#include <sys/sysctl.h>
#include <sys/types.h>
#else
#include <fstream>
#include <iterator>
#include <sstream>
#endif

namespace ep::store {

namespace {

// The mark of the process that currently has this id; empty if there is none.
std::optional<std::string> markOf(std::int64_t pid)
{
#ifdef __APPLE__
    int name[] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, static_cast<int>(pid)};
    struct kinfo_proc info = {};
    std::size_t size = sizeof info;
    if (sysctl(name, 4, &info, &size, nullptr, 0) != 0 || size == 0
        || info.kp_proc.p_stat == SZOMB) // a zombie
        return std::nullopt;
    const auto& started = info.kp_proc.p_starttime; // wall clock, so it differs between boots
    return std::to_string(started.tv_sec) + "." + std::to_string(started.tv_usec);
#else
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string line((std::istreambuf_iterator<char>(stat)), {});
    // The program's name is in brackets and may contain anything; the other fields have fixed
    // positions.
    const std::size_t end = line.rfind(')');
    if (end == std::string::npos)
        return std::nullopt;
    std::istringstream fields(line.substr(end + 1));
    std::string field;
    std::string state;
    constexpr int kState = 3; // numbered as in proc(5)
    constexpr int kStartTime = 22;
    for (int place = kState; place <= kStartTime && fields >> field; ++place) {
        if (place == kState)
            state = field;
    }
    if (state == "Z" || state == "X") // a zombie
        return std::nullopt;
    std::string boot;
    std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
    return boot + "." + field;
#endif
}

} // namespace

WriterMark thisWriter()
{
    const std::int64_t pid = ::getpid();
    return {pid, markOf(pid).value_or(std::string())};
}

std::string thisHost()
{
    std::array<char, 256> name{};
    ::gethostname(name.data(), name.size() - 1);
    std::string host(name.data());
#ifndef __APPLE__
    std::array<char, 64> space{};
    if (::readlink("/proc/self/ns/pid", space.data(), space.size() - 1) > 0)
        host += std::string(" ") + space.data();
#endif
    return host;
}

bool isAlive(const WriterMark& writer)
{
    if (writer.mark.empty()) // the system provided no information about processes: only the id is
                             // available
        return ::kill(static_cast<pid_t>(writer.pid), 0) == 0 || errno == EPERM;
    return markOf(writer.pid) == writer.mark;
}

} // namespace ep::store
