// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/trace.h"
#include "ep/energy/energy_timeline.h"
#include "ep/energy/work_curve.h"

namespace ep::energy {

// The mean power of each phase, and of the time before, between and after them, computed from the
// windows that lie inside. A part too short for a whole window takes the level of the previous
// part. Splitting a window by these levels is exact if the power within each phase is constant.
class PhaseLevels {
public:
    PhaseLevels(const EnergyTimeline& byTime, const RunTrace& trace);

    SpreadRule rule() const { return {.work = &m_work, .fit = m_fit, .static_mw = {}}; }

private:
    WorkCurve m_work; // FLOPs stand for the energy at that level, in pJ
    std::optional<CostFit> m_fit; // absent if no part has a level
};

} // namespace ep::energy
