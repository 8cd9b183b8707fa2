// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>

namespace ep::session {

// How a front end and the job of a recorded command communicate while it runs.
class CommandControl {
public:
    // A signal for the command, delivered once it runs. May be called in a signal handler.
    void send(int signal) noexcept
    {
        if (signal > 0 && signal < 64)
            m_signals.fetch_or(std::uint64_t{1} << static_cast<unsigned>(signal));
    }
    // One bit for each signal since the last call.
    std::uint64_t takeSignals() noexcept { return m_signals.exchange(0); }

    void started() noexcept { m_running = true; }
    bool running() const noexcept { return m_running; }
    // Exit status of the command as a shell reports it: 128 + n for signal n, 127 if there is no
    // such program, 126 if it cannot be executed; -1: it was not started.
    void ended(int status) noexcept
    {
        m_status = status;
        m_running = false;
    }
    int status() const noexcept { return m_status; }

private:
    std::atomic<std::uint64_t> m_signals = 0;
    std::atomic<bool> m_running = false;
    std::atomic<int> m_status = -1;
    static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
};

} // namespace ep::session
