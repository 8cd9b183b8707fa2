// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/trace.h"

#include <vector>

namespace ep::energy {

// Cumulative bytes, FLOPs and busy time over a run's time, from the work of its spans.
//
// A span's work is distributed evenly over its time. Work is counted once: the work of a component
// that exceeds that of its operations is distributed over the component, that of the section
// `layers` beyond its components over the section. Between spans there is no work.
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

    WorkCurve() = default; // no work anywhere
    explicit WorkCurve(const RunTrace& trace);

    bool empty() const { return !m_any; } // no bytes and no FLOPs anywhere
    Work until(Nanoseconds time) const; // O(log spans)
    Work over(const TimeRange& range) const { return until(range.end_ns) - until(range.begin_ns); }

private:
    std::vector<Nanoseconds> m_times; // where the slope changes
    std::vector<Work> m_work; // until each of them
    bool m_any = false;
};

} // namespace ep::energy
