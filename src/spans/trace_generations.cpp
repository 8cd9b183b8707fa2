// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace_generations.h"

#include <algorithm>

namespace ep::spans {

TraceGenerations::TraceGenerations(const TraceEvents& events)
{
    for (const TraceEvent& event : events.operators) {
        if (event.positions == 0)
            continue;
        auto& list = events.names[event.name] == "aten::embedding" ? m_read : m_seen;
        list.push_back({event.begin_ns, event.end_ns, event.positions});
    }
    for (auto* list : {&m_read, &m_seen})
        std::ranges::stable_sort(*list, {}, &Positions::begin_ns);
}

std::uint32_t TraceGenerations::firstIn(const std::vector<Positions>& all, const TimeRange& pass)
{
    const auto first = std::ranges::lower_bound(all, pass.begin_ns, {}, &Positions::begin_ns);
    return first != all.end() && first->end_ns <= pass.end_ns ? first->count : 0;
}

std::int32_t TraceGenerations::tokenOf(const TimeRange& pass)
{
    const std::uint32_t read = firstIn(m_read, pass);
    const std::uint32_t seen = firstIn(m_seen, pass);
    // Several positions after single ones are a prompt, unless the pass attends to more positions
    // than it reads: then it checks drafted tokens. A cache of fixed size does not tell.
    const bool begins =
        read > 1 && m_lastRead == 1 && (seen == 0 || seen == read || seen == m_lastSeen);
    m_lastRead = read;
    m_lastSeen = seen;
    return begins ? 0 : -1;
}

} // namespace ep::spans
