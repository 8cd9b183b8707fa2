// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/units.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace ep {

// Half-open interval [begin, end) on the monotonic clock. Empty when end <= begin.
struct TimeRange {
    Nanoseconds begin_ns = 0;
    Nanoseconds end_ns = 0;

    constexpr bool operator==(const TimeRange&) const = default;
    constexpr Nanoseconds duration_ns() const
    {
        // Unsigned, because the times of a damaged file may be too far apart.
        const auto length =
            static_cast<std::uint64_t>(end_ns) - static_cast<std::uint64_t>(begin_ns);
        constexpr std::uint64_t kMax = std::numeric_limits<Nanoseconds>::max();
        return empty() ? 0 : static_cast<Nanoseconds>(std::min(length, kMax));
    }
    constexpr bool empty() const { return end_ns <= begin_ns; }
    constexpr bool contains(Nanoseconds t) const { return begin_ns <= t && t < end_ns; }
    constexpr bool contains(const TimeRange& other) const
    {
        return begin_ns <= other.begin_ns && other.end_ns <= end_ns;
    }
};

constexpr TimeRange intersection(const TimeRange& a, const TimeRange& b)
{
    const TimeRange both{std::max(a.begin_ns, b.begin_ns), std::min(a.end_ns, b.end_ns)};
    return both.empty() ? TimeRange{both.begin_ns, both.begin_ns} : both;
}

} // namespace ep
