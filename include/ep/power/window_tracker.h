// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/time_range.h"

#include <array>
#include <cstddef>
#include <optional>

namespace ep::power {

// Places readings on the monotonic clock when only the length of each window and the arrival of the
// reading are known.
//
// The tool's windows are contiguous, and a reading arrives at the end of its window or somewhat
// later. So a window begins where the one before ended and lasts elapsed_ns, and:
//  - a reading that arrives before its window would have ended proves that the series was placed
//    too late; its window ends at the arrival, but keeps an eighth of its length at least;
//  - when every one of the last kHistory readings came later than placed, the smallest delay among
//    them is drift of the clocks: the window is lengthened by it. The history is long because the
//    smallest of few delays is mostly delay: of 64 with a mean of 6 ms it is 0.1 ms, of 8 0.8 ms.
//  - when every one of the last kLostHistory readings came later by more than half a window, time
//    was lost, and a gap is left.
//  - a reading after one that is known to be lost is placed by its arrival and the usual delay, and
//    what lies before it is a gap.
// A single late reading (a busy reader, a full pipe) moves nothing.
// A reading over kSummaryFactor times the window before, or one that begins before `startNs`, and
// that reaches back over time already placed is a summary (since boot, of the whole run): it must
// not be counted twice. Not thread-safe.
class WindowTracker {
public:
    static constexpr std::size_t kHistory = 64;
    static constexpr std::size_t kLostHistory = 8;
    static constexpr int kSummaryFactor = 20;

    explicit WindowTracker(Nanoseconds startNs = 0)
        : m_startNs(startNs)
    {
    }

    // Window of the next reading; nothing for a summary. elapsedNs must be positive.
    std::optional<TimeRange> place(Nanoseconds elapsedNs, Nanoseconds arrivalNs);
    // A reading came but could not be used.
    void lost() { m_lost = true; }

private:
    Nanoseconds smallestDelay(std::size_t last) const; // of that many

    Nanoseconds m_startNs;
    std::optional<Nanoseconds> m_end; // of the last window
    Nanoseconds m_lastElapsed = 0;
    bool m_lost = false; // between the last reading and the next one
    std::array<Nanoseconds, kHistory> m_delays{}; // ring: arrival - placed end
    std::size_t m_delayCount = 0; // since the last correction
};

} // namespace ep::power
