// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/publication_clock.h"

#include <utility>

namespace ep::power {

namespace {

constexpr Nanoseconds kAhead = 1'000'000'000; // maximum difference between the clocks
// A counter whose timestamps are never older than this is live: its value belongs to the time of
// the reading.
constexpr Nanoseconds kLive = 5'000'000;
// A single batch may be this recent by chance, but not so many in a row.
constexpr int kLiveInARow = 4;

} // namespace

PublicationClock::PublicationClock(std::optional<Nanoseconds> timestamp, Nanoseconds now,
                                   Nanoseconds fold)
    : m_fold(fold)
    , m_until(timestamp ? std::min(*timestamp, now) : now)
    , m_published(m_until)
    , m_timestamp(timestamp)
    , m_liveInARow(timestamp && now - *timestamp < kLive ? kLiveInARow : 0)
{
    if (!timestamp || *timestamp > now + kAhead)
        m_by = By::Reading;
}

std::optional<Nanoseconds>
PublicationClock::endOf(double advance_mj, std::optional<Nanoseconds> timestamp, Nanoseconds now)
{
    if (m_by == By::Timestamp && (!timestamp || *timestamp > now + kAhead))
        m_by = By::Reading;
    const bool sameTimestamp = std::exchange(m_timestamp, timestamp) == timestamp;
    if (m_by == By::Timestamp && sameTimestamp && advance_mj > 0.0)
        m_by = By::Change;
    if (m_by == By::Reading)
        return now;
    if (m_by == By::Change) {
        if (advance_mj > 0.0 || now - m_until >= kLongestBatch)
            return now;
        return std::nullopt;
    }
    if (sameTimestamp)
        return std::nullopt;
    return now - *timestamp < kLive ? now : *timestamp;
}

std::optional<Publication>
PublicationClock::observe(double advance_mj, std::optional<Nanoseconds> timestamp, Nanoseconds now)
{
    const auto end = endOf(advance_mj, timestamp, now);
    std::optional<Publication> before;
    bool live = false;
    // A counter timed by every reading has no tails.
    if (end && (m_by == By::Reading || *end - m_held.value_or(m_until) >= m_fold)) {
        before = flush();
        m_held = *end;
        m_published = *end;
        live = now == *end && m_liveInARow == kLiveInARow;
        m_liveInARow = now == *end ? std::min(m_liveInARow + 1, kLiveInARow) : 0;
    }
    m_pending += advance_mj;
    const bool complete = m_by != By::Timestamp || live || (m_held && now - *m_held >= m_fold);
    if (!m_held || !complete)
        return before;
    auto last = flush();
    if (before) {
        last->time.begin_ns = before->time.begin_ns;
        last->energy_mj += before->energy_mj;
    }
    return last;
}

std::optional<Publication> PublicationClock::flush()
{
    if (!m_held)
        return std::nullopt;
    const Nanoseconds end = *std::exchange(m_held, std::nullopt);
    return Publication{{std::exchange(m_until, end), end}, std::exchange(m_pending, 0.0)};
}

void PublicationClock::lose(std::optional<Nanoseconds> timestamp, Nanoseconds now)
{
    m_held.reset();
    m_pending = 0.0;
    m_until = now;
    m_published = now;
    m_timestamp = timestamp;
}

} // namespace ep::power
