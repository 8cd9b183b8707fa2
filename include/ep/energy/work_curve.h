// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/own_part.h"
#include "ep/core/trace.h"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace ep::energy {

// Kinds of work with a common error of their costs: the components of a layer, the sections
// outside of layers, and what a busy machine does outside of spans with work.
using WorkKind = std::size_t;
inline constexpr WorkKind kOtherWork = kComponentCount + kSectionCount;
inline constexpr std::size_t kWorkKinds = kOtherWork + 1;
constexpr WorkKind kindOf(Component component)
{
    return static_cast<WorkKind>(component);
}
constexpr WorkKind kindOf(Section section)
{
    return kComponentCount + static_cast<WorkKind>(section);
}
// Kind of work of a component or section; parts with names of their own are other work.
template <typename Part>
WorkKind spanKindOf(Part part)
{
    return isOwn(part) ? kOtherWork : kindOf(part);
}
// The kind of work of a component or section with this name; absent for other names.
std::optional<WorkKind> workKindFromName(std::string_view word);

// Cost of a kind's work relative to the same bytes, FLOPs and time of the mean kind.
struct KindFactors {
    std::array<double, kWorkKinds> values{};
    std::array<double, kWorkKinds> prefill{}; // factors before the first token
    KindFactors()
    {
        values.fill(1.0);
        prefill.fill(1.0);
    }
    double of(WorkKind kind, bool inPrefill) const
    {
        return inPrefill ? prefill[kind] : values[kind];
    }
    bool operator==(const KindFactors&) const = default;
};

// Cumulative bytes, FLOPs and busy time over a run's time, from the work of its spans.
//
// A span's work is distributed evenly over its time. Work is counted once: a component's work
// beyond its operations is distributed over the component, the work of the section `layers` beyond
// its components over the section. Between spans there is no work.
class WorkCurve {
public:
    struct Work {
        double bytes = 0.0;
        double flops = 0.0;
        double busy_ns = 0.0; // inside the run

        friend Work operator-(Work a, Work b)
        {
            return {a.bytes - b.bytes, a.flops - b.flops, a.busy_ns - b.busy_ns};
        }
    };

    // Work done evenly over a time.
    struct Load {
        TimeRange time;
        SpanWork work;
    };

    WorkCurve() = default; // no work anywhere
    explicit WorkCurve(const RunTrace& trace, const KindFactors& factors = {});
    WorkCurve(std::span<const Load> loads, const TimeRange& run);

    bool empty() const { return !m_any; } // there are no bytes and no FLOPs
    Work until(Nanoseconds time) const; // O(log spans)
    Work over(const TimeRange& range) const { return until(range.end_ns) - until(range.begin_ns); }

private:
    friend class KindWork;
    class Changes;
    explicit WorkCurve(Changes& changes);

    std::vector<Nanoseconds> m_times; // times at which the slope changes
    std::vector<Work> m_work; // work up to each of these times
    bool m_any = false;
};

// A WorkCurve for each kind of work, before and after the first token.
class KindWork {
public:
    struct Part {
        WorkKind kind = kOtherWork;
        bool prefill = false;
        WorkCurve work; // busy time is the time of the kind's spans
    };

    explicit KindWork(const RunTrace& trace);

    const std::vector<Part>& parts() const { return m_parts; }
    const TimeRange& run() const { return m_run; }

private:
    TimeRange m_run;
    std::vector<Part> m_parts;
};

} // namespace ep::energy
