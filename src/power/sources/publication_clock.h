// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/time_range.h"

#include <algorithm>
#include <optional>

namespace ep::power {

// Energy gained by a counter, and the time in which it was gained.
struct Publication {
    TimeRange time;
    double energy_mj = 0.0;
};

// Determines when a counter's driver published the value read.
//
// Up to macOS 26 the energy counters advance continuously, and a difference belongs to the time
// between two readings. macOS 27 publishes most of them in batches, 0.4 to 2.2 s apart and on some
// machines much more: read ten times a second, they stand still and then jump. The driver
// timestamps what it publishes, so the difference belongs to the time between two timestamps. Some
// drivers publish the rest of a batch some milliseconds later: a batch is held until no such tail
// can follow, and the two are merged.
//
// Timestamps are not always reliable. A counter whose timestamp stands still while its value
// changes is timed by the readings at which it changed; one without timestamps, or with timestamps
// in the future, by every reading. Both decisions are permanent.
class PublicationClock {
public:
    // Maximum distance between batches, except on some machines where it is half an hour.
    static constexpr Nanoseconds kLongestBatch = 2'500'000'000;

    // fold: a publication that follows the previous one sooner than this is the previous one's
    // tail; at most half the interval of the readings.
    PublicationClock(std::optional<Nanoseconds> timestamp, Nanoseconds now, Nanoseconds fold);

    // Gain since the last call, timestamp of the driver, and time of the reading. Returns nothing
    // if nothing was published, or if a tail may follow.
    std::optional<Publication> observe(double advance_mj, std::optional<Nanoseconds> timestamp,
                                       Nanoseconds now);
    // Returns the publication that is held, if no further reading follows.
    std::optional<Publication> flush();
    // The counter has no value now, or has decreased: the energy gained since is lost.
    void lose(std::optional<Nanoseconds> timestamp, Nanoseconds now);

    // Assumes that nothing was gained up to this time: the next publication belongs to later time.
    void passOver(Nanoseconds time) { m_until = std::max(m_until, time); }

    Nanoseconds until() const { return m_until; } // energy is known up to here
    Nanoseconds published() const { return m_published; } // end of the previous publication

private:
    enum class By { Timestamp, Change, Reading };

    // End of the current publication; absent if nothing was published.
    std::optional<Nanoseconds> endOf(double advance_mj, std::optional<Nanoseconds> timestamp,
                                     Nanoseconds now);

    By m_by = By::Timestamp;
    Nanoseconds m_fold;
    Nanoseconds m_until;
    Nanoseconds m_published;
    std::optional<Nanoseconds> m_timestamp; // previous timestamp
    int m_liveInARow; // successive publications as new as their readings, until they decide
    std::optional<Nanoseconds> m_held; // end of the held publication
    double m_pending = 0.0; // mJ since m_until
};

} // namespace ep::power
