// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/time_range.h"

#include <array>
#include <cstddef>
#include <optional>

namespace ep::power {

// Places readings on the monotonic clock if only the length of each window and the arrival of the
// reading are known.
//
// The tool's windows are contiguous, and a reading arrives at the end of its window or slightly
// later. So a window begins at the end of the previous one and lasts elapsed_ns, and:
//  - a reading that arrives before the end of its window proves that the series was placed too
//    late; its window ends at the arrival, but keeps at least an eighth of its length;
//  - if each of the last kHistory readings came later than placed, the smallest delay among them
//    is clock drift: the window is lengthened by it. The history is long because the smallest of
//    few delays is mostly delay: of 64 with a mean of 6 ms it is 0.1 ms, of 8 it is 0.8 ms;
//  - if each of the last kLostHistory readings came more than half a window late, time was lost,
//    and a gap is left;
//  - a reading after one known to be lost is placed by its arrival and the usual delay, after a
//    gap.
// A single late reading (a busy reader, a full pipe) changes nothing. A reading longer than
// kSummaryFactor times the previous window, or one that begins before `startNs`, and that overlaps
// time already placed is a summary (since boot, or of the whole run): it must not be counted twice.
// Not thread-safe.
class WindowTracker {
public:
    static constexpr std::size_t kHistory = 64;
    static constexpr std::size_t kLostHistory = 8;
    static constexpr int kSummaryFactor = 20;

    explicit WindowTracker(Nanoseconds startNs = 0)
        : m_startNs(startNs)
    {
    }

    // Window of the next reading; absent for a summary. elapsedNs must be positive.
    std::optional<TimeRange> place(Nanoseconds elapsedNs, Nanoseconds arrivalNs);
    // Call it if a reading arrived but could not be used.
    void lost() { m_lost = true; }

private:
    Nanoseconds smallestDelay(std::size_t last) const; // over the last readings

    Nanoseconds m_startNs;
    std::optional<Nanoseconds> m_end; // end of the last window
    Nanoseconds m_lastElapsed = 0;
    bool m_lost = false; // whether a reading was lost since the last one
    std::array<Nanoseconds, kHistory> m_delays{}; // ring: arrival - placed end
    std::size_t m_delayCount = 0; // number of delays since the last correction
};

} // namespace ep::power
