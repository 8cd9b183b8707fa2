// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/work_curve.h"

#include <algorithm>
#include <unordered_map>

namespace ep::energy {

namespace {

// From `time` on, work per nanosecond changes by this amount.
struct Change {
    Nanoseconds time = 0;
    double bytes = 0.0;
    double flops = 0.0;
    int spans = 0; // number of spans that begin (+1) or end (-1) here
    double busy = 0.0; // the same for busy time
};

class Changes {
public:
    void add(const TimeRange& time, const SpanWork& work)
    {
        if (time.empty() || (work.bytes <= 0 && work.flops <= 0))
            return;
        const auto length = static_cast<double>(time.duration_ns());
        const double bytes = static_cast<double>(std::max<std::int64_t>(0, work.bytes)) / length;
        const double flops = static_cast<double>(std::max<std::int64_t>(0, work.flops)) / length;
        m_changes.push_back({time.begin_ns, bytes, flops, 1, 0.0});
        m_changes.push_back({time.end_ns, -bytes, -flops, -1, 0.0});
    }

    void addBusy(const TimeRange& time)
    {
        if (time.empty())
            return;
        m_changes.push_back({time.begin_ns, 0.0, 0.0, 0, 1.0});
        m_changes.push_back({time.end_ns, 0.0, 0.0, 0, -1.0});
    }

    bool empty() const { return m_changes.empty(); }

    std::vector<Change> sorted()
    {
        std::ranges::sort(m_changes, {}, &Change::time);
        return std::move(m_changes);
    }

private:
    std::vector<Change> m_changes;
};

void take(SpanWork& rest, const SpanWork& part)
{
    rest.bytes -= part.bytes;
    rest.flops -= part.flops;
}

// The components' own work, without that of their operations.
void addComponents(const RunTrace& trace, Changes& changes,
                   std::unordered_map<std::int32_t, SpanWork>& byToken)
{
    auto operation = trace.operations.begin();
    for (const ComponentSpan& component : trace.components) {
        SpanWork rest = component.work.value_or(SpanWork{});
        SpanWork& sum = byToken[component.token];
        sum.bytes += rest.bytes;
        sum.flops += rest.flops;
        while (operation != trace.operations.end()
               && operation->time.begin_ns < component.time.begin_ns)
            ++operation;
        for (; operation != trace.operations.end()
             && operation->time.begin_ns < component.time.end_ns;
             ++operation) {
            if (!operation->work)
                continue;
            changes.add(operation->time, *operation->work);
            take(rest, *operation->work);
        }
        changes.add(component.time, rest);
    }
}

} // namespace

WorkCurve::WorkCurve(const RunTrace& trace)
{
    Changes changes;
    std::unordered_map<std::int32_t, SpanWork> byToken;
    addComponents(trace, changes, byToken);
    for (const SectionSpan& section : trace.sections) {
        if (!section.work)
            continue;
        SpanWork rest = *section.work;
        if (const auto parts = byToken.find(section.token);
            section.section == Section::Layers && parts != byToken.end())
            take(rest, parts->second);
        changes.add(section.time, rest);
    }

    m_any = !changes.empty();
    if (!m_any)
        return;
    changes.addBusy(trace.time);
    double bytes = 0.0;
    double flops = 0.0;
    double busy = 0.0;
    int open = 0;
    Work sum;
    for (const Change& change : changes.sorted()) {
        if (!m_times.empty()) {
            const auto length = static_cast<double>(change.time - m_times.back());
            sum.bytes += std::max(0.0, bytes) * length;
            sum.flops += std::max(0.0, flops) * length;
            sum.busy_ns += busy * length;
        }
        if (m_times.empty() || change.time > m_times.back()) {
            m_times.push_back(change.time);
            m_work.push_back(sum);
        }
        open += change.spans;
        busy += change.busy;
        // The sum of the slopes is zero only up to rounding.
        bytes = open == 0 ? 0.0 : bytes + change.bytes;
        flops = open == 0 ? 0.0 : flops + change.flops;
    }
}

WorkCurve::Work WorkCurve::until(Nanoseconds time) const
{
    const auto after = std::ranges::upper_bound(m_times, time);
    if (after == m_times.begin())
        return {};
    const auto i = static_cast<std::size_t>(after - m_times.begin()) - 1;
    if (i + 1 == m_times.size())
        return m_work[i];
    const Work step = m_work[i + 1] - m_work[i];
    const double share =
        static_cast<double>(time - m_times[i]) / static_cast<double>(m_times[i + 1] - m_times[i]);
    return {m_work[i].bytes + share * step.bytes, m_work[i].flops + share * step.flops,
            m_work[i].busy_ns + share * step.busy_ns};
}

} // namespace ep::energy
