// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/power_sample.h"
#include "ep/core/run.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ep::session {

// The machine's clocks at one instant.
struct ClockReading {
    Nanoseconds run_ns = 0; // monotonicNow(): the clock of samples and spans
    Nanoseconds awake_ns = 0; // stops while the machine sleeps
    Nanoseconds boot_ns = 0; // continues while it sleeps
    Nanoseconds wall_ns = 0; // wall clock; can be set

    bool operator==(const ClockReading&) const = default;
};
ClockReading readClocks(); // about 100 ns; any thread

// An event detected between two readings.
struct Interruption {
    TimeRange time; // between the readings, on the clock of the run
    Nanoseconds asleep_ns = 0;
    Nanoseconds wall_shift_ns = 0; // change of the wall clock; negative: back

    bool operator==(const Interruption&) const = default;
};

// Detects that the machine slept, or that its wall clock was set, from clocks that drift apart
// between two readings. Not thread-safe.
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

// Removes the samples whose window overlaps a sleep, since their energy belongs to another time.
void excludeSleep(std::vector<PowerSample>& samples,
                  const std::vector<Interruption>& interruptions);

// One sentence each, with the time relative to the start of the run.
std::vector<std::string> describe(const std::vector<Interruption>& interruptions,
                                  Nanoseconds runBegin);

// Adds the sentences to the run: to the verdict on its samples, and to its status message.
void noteInterruptions(RunInfo& info, const std::vector<Interruption>& interruptions,
                       Nanoseconds runBegin);

// The same for a program whose window was covered for this long while the system was allowed to
// slow it down.
void noteCovered(RunInfo& info, Nanoseconds covered);

} // namespace ep::session
