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

// Detects that the whole program was stopped (SIGSTOP, a debugger, a frozen container): no clock of
// the system shows that. A thread looks at the time at regular intervals. A gap was a pause if a
// signal continued the program meanwhile, or if the program used hardly any processor time, apart
// from what it used until it was stopped: at most that of one interval. A busy machine delays the
// thread as well, but then others of the program run meanwhile.
class Heartbeat {
public:
    struct Beat {
        Nanoseconds time = 0; // monotonicNow()
        Nanoseconds processor = 0; // used by the program so far
        int continued = 0; // how often SIGCONT has arrived
    };
    static Beat now();

    // look: tests replace the clocks, and call beat() themselves.
    explicit Heartbeat(std::function<Beat()> look);
    Heartbeat(); // starts the thread; without one, no pauses are found
    ~Heartbeat();
    Heartbeat(const Heartbeat&) = delete;
    Heartbeat& operator=(const Heartbeat&) = delete;

    void beat(); // any thread
    std::vector<TimeRange> takePauses(); // up to now, those that were not taken yet

private:
    void run();
    bool wasPaused(const Beat& last, const Beat& next) const;

    std::function<Beat()> m_look;
    std::mutex m_mutex; // guards the members below
    std::condition_variable m_changed;
    Beat m_last;
    Nanoseconds m_usual = 0; // processor time of the last interval that was no pause
    TimeRange m_doubtful; // the gap before the last beat, if it was long and yet no pause
    std::vector<TimeRange> m_pauses;
    bool m_end = false;
    std::thread m_thread;
};

} // namespace ep::session
