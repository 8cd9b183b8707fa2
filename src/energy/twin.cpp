// SPDX-License-Identifier: GPL-3.0-or-later
#include "twin.h"

#include "ep/energy/energy_timeline.h"

#include <algorithm>

namespace ep::energy {

namespace {

// One execution; its decode is empty if there is only a prefill.
struct Execution {
    TimeRange prefill;
    TimeRange decode;
};

std::optional<double> energyOf(const EnergyTimeline& timeline, const Execution& execution)
{
    if (execution.prefill.empty())
        return std::nullopt;
    double sum = 0.0;
    for (const TimeRange& range : {execution.prefill, execution.decode}) {
        if (range.empty())
            continue;
        const auto energy = timeline.totalOver(range);
        if (!energy)
            return std::nullopt;
        sum += energy->value;
    }
    return sum;
}

TimeRange moved(const TimeRange& range, Nanoseconds by)
{
    return range.empty() ? range : TimeRange{range.begin_ns + by, range.end_ns + by};
}

} // namespace

void measureTwin(Run& run)
{
    if (!run.info.profiling.twin)
        return;
    TwinRecord& twin = *run.info.profiling.twin;
    const RunTrace& trace = run.trace;
    const auto count = static_cast<std::size_t>(std::max<std::int64_t>(0, twin.tokens));
    if (count == 0 || count > trace.tokens.size())
        return;
    const auto& attribution = run.info.power.attribution;
    const bool shifted = attribution && attribution->offset_applied;
    const EnergyTimeline timeline(trace.samples, {}, shifted ? attribution->offset_ns : 0);
    const Nanoseconds begin = trace.time.begin_ns;
    const auto clean =
        energyOf(timeline, {moved(twin.clean_prefill, begin), moved(twin.clean_decode, begin)});
    const auto recorded = energyOf(
        timeline,
        {trace.tokens.front().time,
         count > 1 ? TimeRange{trace.tokens[1].time.begin_ns, trace.tokens[count - 1].time.end_ns}
                   : TimeRange{}});
    if (clean && recorded) {
        twin.clean_mj = clean;
        twin.instrumented_mj = recorded;
    }
}

} // namespace ep::energy
