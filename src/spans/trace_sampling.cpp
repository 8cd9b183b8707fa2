// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace_mapping.h"

#include <algorithm>
#include <utility>

namespace ep::spans {

namespace {

std::vector<TimeRange> operatorTimes(const TraceEvents& events)
{
    std::vector<TimeRange> times;
    times.reserve(events.operators.size());
    for (const TraceEvent& event : events.operators)
        times.push_back({event.begin_ns, event.end_ns});
    std::ranges::sort(times, {}, &TimeRange::begin_ns);
    return times;
}

// From the first to the last operator within the gap; empty if there are none.
TimeRange workIn(const std::vector<TimeRange>& operators, const TimeRange& gap)
{
    TimeRange work;
    for (auto at = std::ranges::lower_bound(operators, gap.begin_ns, {}, &TimeRange::begin_ns);
         at != operators.end() && at->begin_ns < gap.end_ns; ++at) {
        if (at->end_ns > gap.end_ns)
            continue;
        if (work.empty())
            work = *at;
        work.end_ns = std::max(work.end_ns, at->end_ns);
    }
    return work;
}

} // namespace

void addSampling(const TraceEvents& events, Mapping& mapping)
{
    const std::vector<TimeRange> operators = operatorTimes(events);
    std::vector<MappedEvent> parts;
    parts.reserve(mapping.parts.size());
    std::size_t held = 0; // size of `parts` up to the last pass
    Nanoseconds end = 0; // end of that pass
    for (MappedEvent& part : mapping.parts) {
        const bool goesOn = part.kind == RecordKind::Token && held > 0 && part.token != 0;
        const TimeRange work = goesOn ? workIn(operators, {end, part.begin_ns}) : TimeRange();
        if (!work.empty())
            parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(held),
                         {.kind = RecordKind::Component,
                          .name = "sampling",
                          .begin_ns = work.begin_ns,
                          .end_ns = work.end_ns});
        if (part.kind == RecordKind::Token) {
            end = part.end_ns;
            held = parts.size() + 1;
        }
        parts.push_back(std::move(part));
    }
    mapping.parts = std::move(parts);
}

} // namespace ep::spans
