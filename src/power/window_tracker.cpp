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
        m_lost = false;
        return TimeRange{arrivalNs - elapsedNs, arrivalNs};
    }
    Nanoseconds begin = *m_end;
    if (m_lost) {
        const std::size_t known = std::min(m_delayCount, kLostHistory);
        const Nanoseconds usual = known > 0 ? smallestDelay(known) : 0;
        begin = std::max(begin, arrivalNs - usual - elapsedNs);
        m_lost = false;
    }
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
    Nanoseconds correction = 0;
    if (m_delayCount >= kLostHistory) {
        correction = smallestDelay(kLostHistory);
        if (correction <= elapsedNs / 2)
            correction = m_delayCount >= kHistory ? smallestDelay(kHistory) : 0;
    }
    m_end = end + correction;
    if (correction > 0)
        m_delayCount = 0;
    return TimeRange{correction > elapsedNs / 2 ? begin + correction : begin, *m_end};
}

Nanoseconds WindowTracker::smallestDelay(std::size_t last) const
{
    Nanoseconds smallest = m_delays[(m_delayCount - 1) % kHistory];
    for (std::size_t i = 2; i <= last; ++i)
        smallest = std::min(smallest, m_delays[(m_delayCount - i) % kHistory]);
    return smallest;
}

} // namespace ep::power
