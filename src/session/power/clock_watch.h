// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/power_sample.h"
#include "ep/core/run.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ep::session {

// The machine's clocks at one moment.
struct ClockReading {
    Nanoseconds run_ns = 0; // monotonicNow(): the clock of samples and spans
    Nanoseconds awake_ns = 0; // stands still while the machine sleeps
    Nanoseconds boot_ns = 0; // runs on while it sleeps
    Nanoseconds wall_ns = 0; // of the calendar: may be set

    bool operator==(const ClockReading&) const = default;
};
ClockReading readClocks(); // about 100 ns; any thread

// Something that happened to the machine between two readings.
struct Interruption {
    TimeRange time; // on the clock of the run: between the readings
    Nanoseconds asleep_ns = 0;
    Nanoseconds wall_shift_ns = 0; // by which the calendar was set; below 0: back

    bool operator==(const Interruption&) const = default;
};

// Notices that the machine slept, or that its calendar was set, by clocks that drift apart from one
// look to the next. Not thread-safe.
class ClockWatch {
public:
    explicit ClockWatch(std::function<ClockReading()> read = readClocks);

    void begin();
    void look();
    const std::vector<Interruption>& interruptions() const { return m_found; }

private:
    std::function<ClockReading()> m_read;
    std::optional<ClockReading> m_last;
    std::vector<Interruption> m_found;
};

// Takes the samples out whose window reaches into a sleep: their energy is that of another time.
void excludeSleep(std::vector<PowerSample>& samples,
                  const std::vector<Interruption>& interruptions);

// One sentence for each, with its place in a run that began then.
std::vector<std::string> describe(const std::vector<Interruption>& interruptions,
                                  Nanoseconds runBegin);

// Puts the sentences with the run: the verdict on its samples, and the message of its status.
void noteInterruptions(RunInfo& info, const std::vector<Interruption>& interruptions,
                       Nanoseconds runBegin);

// The same for a program whose window was covered that long while the system was free to slow it
// down for that.
void noteCovered(RunInfo& info, Nanoseconds covered);

} // namespace ep::session
