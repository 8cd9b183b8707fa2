// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/power_sample.h"
#include "ep/core/run.h"
#include "ep/core/time_range.h"
#include "ep/core/units.h"

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace ep::session {

// The machine's clocks at one instant.
struct ClockReading {
    Nanoseconds run_ns = 0; // monotonicNow(): the clock of samples and spans
    Nanoseconds awake_ns = 0; // stops while the machine sleeps
    Nanoseconds boot_ns = 0; // continues while the machine sleeps
    Nanoseconds wall_ns = 0; // wall clock; can be set

    bool operator==(const ClockReading&) const = default;
};
ClockReading readClocks(); // about 100 ns; any thread

// An event detected between two readings.
struct Interruption {
    TimeRange time; // between the readings, on the clock of the run
    Nanoseconds asleep_ns = 0;
    Nanoseconds stopped_ns = 0; // only the program was stopped, not the machine
    Nanoseconds wall_shift_ns = 0; // change of the wall clock; negative: set back

    bool operator==(const Interruption&) const = default;
};

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
    std::vector<TimeRange> takePauses(); // pauses found since the last call

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

// Detects that the machine slept or that its wall clock was set, by comparing clocks between two
// readings, and that the program was stopped, by a heartbeat. Not thread-safe.
class ClockWatch {
public:
    ClockWatch(); // reads the clocks of the machine
    explicit ClockWatch(std::function<ClockReading()> read,
                        std::shared_ptr<Heartbeat> heart = nullptr);

    void begin(); // may be called again; forgets what was found
    void look();
    void rest(); // ends the heartbeat, which is a thread, until begin() is called again
    const std::vector<Interruption>& interruptions() const { return m_found; }

private:
    void lookForStops();

    std::function<ClockReading()> m_read;
    bool m_ownHeart = false; // heartbeat was created by begin()
    std::shared_ptr<Heartbeat> m_heart; // null: stops are not watched
    std::optional<ClockReading> m_last;
    std::vector<Interruption> m_found;
};

// Removes the samples whose window overlaps a sleep or a stop, since their energy belongs to
// another time.
void excludeSleep(std::vector<PowerSample>& samples,
                  const std::vector<Interruption>& interruptions);

// One sentence each, with the time relative to the start of the run.
std::vector<Message> describe(const std::vector<Interruption>& interruptions, Nanoseconds runBegin);

// Adds the sentences to the run: to the verdict on its samples, and to its status message.
void noteInterruptions(RunInfo& info, const std::vector<Interruption>& interruptions,
                       Nanoseconds runBegin);

// Adds a note that the window was covered for this long while the system was allowed to slow the
// program down.
void noteCovered(RunInfo& info, Nanoseconds covered);

} // namespace ep::session
