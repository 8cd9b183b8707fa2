// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/core/units.h"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace ep::session {

struct ChildSpec {
    std::vector<std::string> arguments; // the program first; found in PATH
    std::vector<std::pair<std::string, std::string>> environment{}; // beside our own
    std::optional<unsigned> umask{}; // absent: ours
    bool prints = true; // false: its output is dropped
    // A process group of its own, away from our terminal. Otherwise it shares ours, so that the
    // terminal's keys reach it as they reach us.
    bool own_group = false;
};

struct ChildEnd {
    Nanoseconds at_ns = 0;
    std::optional<int> exit_status{};
    std::optional<int> signal{};
    Nanoseconds processor_ns = 0; // its own, and of children that it waited for
    std::int64_t largest_bytes = 0; // resident memory of the largest of these

    int status() const; // as a shell has it
};

// A command of the user's: an argument list, no shell; its input, errors and, unless it is dropped,
// its output are ours.
class ChildProcess {
public:
    ChildProcess() = default;
    ~ChildProcess(); // waits for its end
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    // status: what a shell would return where it cannot start.
    Status start(const ChildSpec& spec, int& status);
    int pid() const { return m_pid; }
    Status send(int signal) const; // it has not been reaped yet, so its number is its own
    bool waitFor(Nanoseconds time); // true: it has ended
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

} // namespace ep::session
