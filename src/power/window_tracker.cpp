// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/power/window_tracker.h"

#include <algorithm>

namespace ep::power {

std::optional<TimeRange> WindowTracker::place(Nanoseconds elapsedNs, Nanoseconds arrivalNs)
{
    if (!m_end) {
        if (arrivalNs - elapsedNs < m_startNs - elapsedNs / 2)
            return std::nullopt;
        m_end = arrivalNs;
        m_lastElapsed = elapsedNs;
        return TimeRange{arrivalNs - elapsedNs, arrivalNs};
    }
    const Nanoseconds begin = *m_end;
    const Nanoseconds end = begin + elapsedNs;
    const Nanoseconds delay = arrivalNs - end;
    const bool reachesBack = arrivalNs - begin < elapsedNs / 2;
    if (reachesBack && elapsedNs / kSummaryFactor > m_lastElapsed)
        return std::nullopt;
    m_lastElapsed = elapsedNs;
    if (delay < 0) {
        m_end = std::max(arrivalNs, begin + std::max<Nanoseconds>(1, elapsedNs / 8));
        m_delayCount = 0;
        return TimeRange{begin, *m_end};
    }
    m_delays[m_delayCount++ % kHistory] = delay;
    if (m_delayCount < kHistory) {
        m_end = end;
        return TimeRange{begin, end};
    }
    const Nanoseconds correction = smallestDelay();
    const bool gap = correction > elapsedNs / 2;
    m_end = end + correction;
    if (correction > 0)
        m_delayCount = 0;
    return TimeRange{gap ? begin + correction : begin, *m_end};
}

Nanoseconds WindowTracker::smallestDelay() const
{
    return *std::min_element(m_delays.begin(), m_delays.end());
}

} // namespace ep::power
