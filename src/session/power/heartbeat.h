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
// the system shows that. A thread looks at the time at regular intervals; a gap during which the
// program used no processor time was a pause. A busy machine delays the thread, but then others of
// the program run meanwhile.
class Heartbeat {
public:
    struct Beat {
        Nanoseconds time = 0; // monotonicNow()
        Nanoseconds processor = 0; // used by the program so far
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

    std::function<Beat()> m_look;
    std::mutex m_mutex; // guards the members below
    std::condition_variable m_changed;
    Beat m_last;
    std::vector<TimeRange> m_pauses;
    bool m_end = false;
    std::thread m_thread;
};

} // namespace ep::session
