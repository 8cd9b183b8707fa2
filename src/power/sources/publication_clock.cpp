// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/publication_clock.h"

#include <utility>

namespace ep::power {

namespace {

constexpr Nanoseconds kAhead = 1'000'000'000; // maximum difference between the clocks
// A counter that is never older than this is live, and its value belongs to the time of the
// reading.
constexpr Nanoseconds kLive = 5'000'000;

} // namespace

PublicationClock::PublicationClock(std::optional<Nanoseconds> stamp, Nanoseconds now,
                                   Nanoseconds fold)
    : m_fold(fold)
    , m_until(stamp ? std::min(*stamp, now) : now)
    , m_published(m_until)
    , m_stamp(stamp)
{
    if (!stamp || *stamp > now + kAhead)
        m_by = By::Reading;
}

std::optional<Nanoseconds>
PublicationClock::endOf(double advance_mj, std::optional<Nanoseconds> stamp, Nanoseconds now)
{
    if (m_by == By::Stamp && (!stamp || *stamp > now + kAhead))
        m_by = By::Reading;
    const bool sameStamp = std::exchange(m_stamp, stamp) == stamp;
    if (m_by == By::Stamp && sameStamp && advance_mj > 0.0)
        m_by = By::Change;
    if (m_by == By::Reading)
        return now;
    if (m_by == By::Change) {
        if (advance_mj > 0.0 || now - m_until >= kLongestBatch)
            return now;
        return std::nullopt;
    }
    if (sameStamp)
        return std::nullopt;
    return now - *stamp < kLive ? now : *stamp;
}

std::optional<Publication>
PublicationClock::observe(double advance_mj, std::optional<Nanoseconds> stamp, Nanoseconds now)
{
    const auto end = endOf(advance_mj, stamp, now);
    m_pending += advance_mj;
    if (!end || *end - m_until < m_fold)
        return std::nullopt;
    m_published = *end;
    return Publication{{std::exchange(m_until, *end), *end}, std::exchange(m_pending, 0.0)};
}

void PublicationClock::lose(std::optional<Nanoseconds> stamp, Nanoseconds now)
{
    m_pending = 0.0;
    m_until = now;
    m_published = now;
    m_stamp = stamp;
}

} // namespace ep::power
