// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/work_curve.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace ep::energy {

// From `time` on, work per nanosecond changes by this amount.
class WorkCurve::Changes {
public:
    struct Change {
        Nanoseconds time = 0;
        double bytes = 0.0;
        double flops = 0.0;
        int spans = 0; // spans that begin here minus spans that end here
        double busy = 0.0; // change of busy time
    };

    void add(const TimeRange& time, const SpanWork& work, double factor)
    {
        if (time.empty() || (work.bytes <= 0 && work.flops <= 0))
            return;
        const double slope = factor / static_cast<double>(time.duration_ns());
        const double bytes = static_cast<double>(std::max<std::int64_t>(0, work.bytes)) * slope;
        const double flops = static_cast<double>(std::max<std::int64_t>(0, work.flops)) * slope;
        m_changes.push_back({time.begin_ns, bytes, flops, 1, 0.0});
        m_changes.push_back({time.end_ns, -bytes, -flops, -1, 0.0});
        m_work = true;
    }

    void addBusy(const TimeRange& time, double weight)
    {
        if (time.empty() || weight == 0.0)
            return;
        m_changes.push_back({time.begin_ns, 0.0, 0.0, 0, weight});
        m_changes.push_back({time.end_ns, 0.0, 0.0, 0, -weight});
    }

    bool work() const { return m_work; }

    std::vector<Change> sorted()
    {
        std::ranges::sort(m_changes, {}, &Change::time);
        return std::move(m_changes);
    }

private:
    std::vector<Change> m_changes;
    bool m_work = false;
};

namespace {

void take(SpanWork& rest, const SpanWork& part)
{
    rest.bytes -= part.bytes;
    rest.flops -= part.flops;
}

// Calls work(kind, prefill, time, work) for every piece of work, and busy(kind, prefill, time)
// once for the time of every span with work.
template <typename Work, typename Busy>
void visitWork(const RunTrace& trace, Work work, Busy busy)
{
    std::unordered_map<std::int32_t, SpanWork> byToken;
    auto operation = trace.operations.begin();
    for (const Span& component : trace.components) {
        const WorkKind kind = spanKindOf(component.component);
        const bool prefill = component.token == 0;
        busy(kind, prefill, component.time);
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
            work(kind, prefill, operation->time, *operation->work);
            take(rest, *operation->work);
        }
        work(kind, prefill, component.time, rest);
    }
    for (const Span& section : trace.sections) {
        if (!section.work)
            continue;
        const WorkKind kind = spanKindOf(section.section);
        const bool prefill = section.token == 0;
        SpanWork rest = *section.work;
        const auto parts = byToken.find(section.token);
        const bool divided = section.section == Section::Layers && parts != byToken.end();
        if (divided)
            take(rest, parts->second);
        else
            busy(kind, prefill, section.time);
        work(kind, prefill, section.time, rest);
    }
}

} // namespace

std::optional<WorkKind> workKindFromName(std::string_view word)
{
    if (const auto component = componentFromName(word))
        return spanKindOf(*component);
    if (const auto section = sectionFromName(word))
        return spanKindOf(*section);
    return std::nullopt;
}

WorkCurve::WorkCurve(std::span<const Load> loads, const TimeRange& run)
{
    Changes changes;
    changes.addBusy(run, 1.0);
    for (const Load& load : loads)
        changes.add(load.time, load.work, 1.0);
    *this = WorkCurve(changes);
}

WorkCurve::WorkCurve(const RunTrace& trace, const KindFactors& factors)
{
    Changes changes;
    changes.addBusy(trace.time, factors.values[kOtherWork]);
    visitWork(
        trace,
        [&](WorkKind kind, bool prefill, const TimeRange& time, const SpanWork& work) {
            changes.add(time, work, factors.of(kind, prefill));
        },
        [&](WorkKind kind, bool prefill, const TimeRange& time) {
            changes.addBusy(time, factors.of(kind, prefill) - factors.values[kOtherWork]);
        });
    *this = WorkCurve(changes);
}

WorkCurve::WorkCurve(Changes& changes)
    : m_any(changes.work())
{
    double bytes = 0.0;
    double flops = 0.0;
    double busy = 0.0;
    int open = 0;
    Work sum;
    for (const Changes::Change& change : changes.sorted()) {
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

KindWork::KindWork(const RunTrace& trace)
    : m_run(trace.time)
{
    std::array<WorkCurve::Changes, 2 * kWorkKinds> changes;
    visitWork(
        trace,
        [&](WorkKind kind, bool prefill, const TimeRange& time, const SpanWork& work) {
            changes[2 * kind + (prefill ? 1 : 0)].add(time, work, 1.0);
        },
        [&](WorkKind kind, bool prefill, const TimeRange& time) {
            changes[2 * kind + (prefill ? 1 : 0)].addBusy(time, 1.0);
        });
    for (std::size_t i = 0; i < changes.size(); ++i) {
        WorkCurve work(changes[i]);
        if (!work.m_times.empty())
            m_parts.push_back({.kind = i / 2, .prefill = i % 2 == 1, .work = std::move(work)});
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
