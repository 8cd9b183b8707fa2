// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/time_range.h"
#include "ep/core/units.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace ep::session {

// Detects that the whole program was stopped (SIGSTOP, a debugger, a frozen container), which no
// system clock shows. A thread reads the time at regular intervals. A gap was a pause if a signal
// continued the program, or if the program used hardly any processor time except what it used
// until it was stopped: at most that of one interval. A busy machine delays the thread too, but
// then other threads of the program run meanwhile, or the system says that it waited.
class Heartbeat {
public:
    struct Beat {
        Nanoseconds time = 0; // monotonicNow()
        Nanoseconds processor = 0; // used by the program so far
        int continued = 0; // number of SIGCONT signals so far
        Nanoseconds waited = 0; // how long the thread was ready, but had no processor (Linux)
    };
    static Beat now();

    // look: reads the clocks; tests replace it and call beat() themselves.
    explicit Heartbeat(std::function<Beat()> look);
    Heartbeat(); // starts the thread; if that fails, no pauses are found
    ~Heartbeat();
    Heartbeat(const Heartbeat&) = delete;
    Heartbeat& operator=(const Heartbeat&) = delete;

    void beat(); // any thread
    std::vector<TimeRange> takePauses(); // those found since the last call

private:
    void run();
    bool wasPaused(const Beat& last, const Beat& next) const;

    std::function<Beat()> m_look;
    std::mutex m_mutex; // guards the members below
    std::condition_variable m_changed;
    Beat m_last;
    Nanoseconds m_usual = 0; // processor time of the last interval that was not a pause
    TimeRange m_doubtful; // the gap before the last beat, if it was long but not a pause
    std::vector<TimeRange> m_pauses;
    bool m_end = false;
    std::thread m_thread;
};

} // namespace ep::session
