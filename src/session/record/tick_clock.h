// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/units.h"

#include <cstdint>
#include <optional>

namespace ep::session {

// Reading of a counter and the monotonic clock at the same instant.
struct TickReading {
    std::int64_t tick = 0;
    Nanoseconds time = 0;
};

// Converts timestamps between two readings to times by linear interpolation, clamped to the
// readings.
class TickScale {
public:
    TickScale() = default; // for timestamps that already are times
    TickScale(const TickReading& from, const TickReading& to);

    Nanoseconds timeOf(std::int64_t timestamp) const
    {
        if (m_rate == 0.0)
            return timestamp;
        const auto ticks = static_cast<double>(timestamp - m_from.tick);
        return m_from.time + static_cast<Nanoseconds>(ticks * m_rate);
    }

private:
    TickReading m_from;
    double m_rate = 0.0; // ns per tick; 0: timestamps are times
};

// The counter on which the monotonic clock is based. A call of the clock itself touches several
// pages of memory, which the weights of a matmul evict from the caches: on a server core it takes
// 35 ns in a loop, 280 ns after reading 800 KB and 1.8 us after 4 MB; the counter takes 30, 37 and
// 70 ns.
class TickClock {
public:
    using Ticks = std::int64_t (*)(); // constant rate, the same on all cores
    using Clock = Nanoseconds (*)();

    TickClock(Ticks ticks, Clock clock)
        : m_ticks(ticks)
        , m_clock(clock)
    {
    }
    // Absent if the system's clock is not based on a counter that a program can read.
    static std::optional<TickClock> ofSystem();

    std::int64_t tick() const { return m_ticks(); }
    TickReading read() const;

private:
    Ticks m_ticks;
    Clock m_clock;
};

} // namespace ep::session
