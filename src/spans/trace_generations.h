// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace_events.h"

#include "ep/core/time_range.h"

#include <cstdint>
#include <vector>

namespace ep::spans {

// Finds which forward passes of a trace begin a generation, from how many positions they read and
// attend to. This needs shapes (record_shapes=True); without them a trace is one generation. A
// prompt of a single token looks like any other step.
class TraceGenerations {
public:
    explicit TraceGenerations(const TraceEvents& events); // events: not kept after the call

    // Call it for all passes, in order of time. 0: begins a generation; -1: continues one.
    std::int32_t tokenOf(const TimeRange& pass);

private:
    struct Positions {
        Nanoseconds begin_ns = 0;
        Nanoseconds end_ns = 0;
        std::uint32_t count = 0;
    };
    static std::uint32_t firstIn(const std::vector<Positions>& all, const TimeRange& pass);

    std::vector<Positions> m_read; // by embedding lookups, in order of time
    std::vector<Positions> m_seen; // found by attention
    std::uint32_t m_lastRead = 0;
    std::uint32_t m_lastSeen = 0;
};

} // namespace ep::spans
