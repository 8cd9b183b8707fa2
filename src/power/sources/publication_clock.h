// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/time_range.h"

#include <algorithm>
#include <optional>

namespace ep::power {

// The energy that a counter gained, over the time in which it gained it.
struct Publication {
    TimeRange time;
    double energy_mj = 0.0;
};

// Finds out when a counter's driver published what is read from it.
//
// Up to macOS 26 the energy counters advance all the time, and a difference belongs to the time
// between two readings. macOS 27 publishes most of them in batches, 0.4 to 2.2 s apart and on some
// machines much more: read ten times a second they stand still and then leap. The driver stamps
// what it publishes, so the difference belongs to the time between two stamps. Some drivers publish
// the rest of a batch some milliseconds later; such a tail is taken together with the next batch.
//
// Stamps are not always good. A counter whose stamp stands still while its value moves is timed by
// the readings at which it moved; one without stamps, or with stamps from the future, by every
// reading. Either is for good.
class PublicationClock {
public:
    // Batches are not further apart than this, but for some machines where it is half an hour.
    static constexpr Nanoseconds kLongestBatch = 2'500'000'000;

    // fold: a publication that comes sooner than this after the one before is its tail.
    PublicationClock(std::optional<Nanoseconds> stamp, Nanoseconds now, Nanoseconds fold);

    // What the counter gained since the last call, the driver's stamp, and the time of the reading.
    // Nothing: it published nothing.
    std::optional<Publication> observe(double advance_mj, std::optional<Nanoseconds> stamp,
                                       Nanoseconds now);
    // The counter has no value now, or went back: what it gained meanwhile is lost.
    void lose(std::optional<Nanoseconds> stamp, Nanoseconds now);

    // It is taken to have gained nothing up to then: what it publishes next is of later.
    void passOver(Nanoseconds time) { m_until = std::max(m_until, time); }

    Nanoseconds until() const { return m_until; } // up to where its energy is known
    Nanoseconds published() const { return m_published; } // end of the last publication

private:
    enum class By { Stamp, Change, Reading };

    // Where the publication at hand ends; nothing when there is none.
    std::optional<Nanoseconds> endOf(double advance_mj, std::optional<Nanoseconds> stamp,
                                     Nanoseconds now);

    By m_by = By::Stamp;
    Nanoseconds m_fold;
    Nanoseconds m_until;
    Nanoseconds m_published;
    std::optional<Nanoseconds> m_stamp; // the last one
    double m_pending = 0.0; // of tails
};

} // namespace ep::power
