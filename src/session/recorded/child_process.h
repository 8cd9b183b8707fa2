// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/core/units.h"

#include <condition_variable>
#include <csignal>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace ep::session {

struct ChildSpec {
    std::vector<std::string> arguments; // the program first; searched in PATH
    std::vector<std::pair<std::string, std::string>> environment{}; // in addition to ours
    std::optional<unsigned> umask{}; // absent: ours
    bool prints = true; // false: its output is dropped
    // Runs in its own process group, away from our terminal. Otherwise it shares our group, so
    // that the terminal's keys reach it as they reach us.
    bool own_group = false;
};

struct ChildEnd {
    Nanoseconds at_ns = 0;
    std::optional<int> exit_status{};
    std::optional<int> signal{};
    Nanoseconds processor_ns = 0; // time of the command and of children that it waited for
    std::int64_t largest_bytes = 0; // largest resident memory of one of these processes

    int status() const; // exit status as a shell reports it
};

// A command of the user: an argument list without a shell. It shares our input, our errors and,
// unless dropped, our output.
class ChildProcess {
public:
    ChildProcess() = default;
    ~ChildProcess(); // waits for the end of the command
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    // status: what a shell would return if the command cannot start.
    Status start(const ChildSpec& spec, int& status);
    int pid() const { return m_pid; }
    Status send(int signal) const; // safe: until it is reaped, its process id is not reused
    bool waitFor(Nanoseconds time); // true: the command has ended
    ChildEnd reap(); // once, after waitFor() returned true

private:
    int m_pid = 0;
    bool m_ownGroup = false;
    bool m_reaped = false;
    std::mutex m_mutex; // guards m_endedAt
    std::condition_variable m_changed;
    std::optional<Nanoseconds> m_endedAt;
    std::thread m_waiter;
};

// Asks a command to end: first as Ctrl-C does, then more firmly, then by force.
class PoliteStop {
public:
    static constexpr Nanoseconds kPatience = 5'000'000'000; // before the next step

    // The signal to send now, if one is due. Call repeatedly once the command is to end.
    std::optional<int> due(Nanoseconds now)
    {
        if (m_step == kSteps || (m_step > 0 && now - m_sentAt < kPatience))
            return std::nullopt;
        constexpr int kSignals[kSteps] = {SIGINT, SIGTERM, SIGKILL};
        m_sentAt = now;
        return kSignals[m_step++];
    }
    bool asked() const { return m_step > 0; }

private:
    static constexpr int kSteps = 3;
    int m_step = 0;
    Nanoseconds m_sentAt = 0;
};

} // namespace ep::session
