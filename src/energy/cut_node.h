// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/energy_value.h"
#include "ep/core/time_range.h"
#include "ep/energy/energy_timeline.h"

#include <optional>
#include <vector>

namespace ep::energy {

// A node of a run's tree and its part inside a range (ledger.h defines the rule).
struct CutNode {
    TimeRange time;
    EnergyValue whole;
    TimeRange inside; // its time within the range; may be empty
    EnergyValue cut; // energy of that time
};

class NodeCutter {
public:
    // timeline: by time; must outlive this object.
    NodeCutter(const EnergyTimeline& timeline, const TimeRange& range);

    // children of the node, in order of time, not overlapping
    CutNode cut(const TimeRange& time, const EnergyValue& energy,
                const std::vector<CutNode>& children) const;
    CutNode cut(const TimeRange& time, std::optional<Millijoules> energy,
                const std::vector<CutNode>& children) const;

private:
    double weight(const TimeRange& time) const; // samples' energy in this time
    double gapShare(const TimeRange& time, const std::vector<CutNode>& children) const;

    const EnergyTimeline& m_timeline;
    TimeRange m_range;
};

} // namespace ep::energy
