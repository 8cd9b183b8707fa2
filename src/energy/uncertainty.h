// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/energy_record.h"
#include "ep/energy/energy_timeline.h"

#include <optional>
#include <vector>

namespace ep::energy {

// Standard deviation of the energy of a range. Independent parts:
//  resolution: energies come in whole steps; the counter at either end is off by step / sqrt(12).
//  splitting and alignment: of a window that the range cuts, the smaller share x its energy x how
//    unevenly power runs there (half the difference of its neighbours, 3 % at least; by cost the
//    residual of the fit); and offset_sd x the difference of power between both ends.
//  stamps: what was joined of gaps, less what was of overlaps, x the power there.
//  fit, by cost: the errors of the unit costs, times what the range does.
class Uncertainty {
public:
    Uncertainty(const EnergyTimeline& timeline, const SpreadRule& rule, double offsetSdNs);

    // Absent if the energy is missing.
    std::optional<double> of(const TimeRange& range) const;

private:
    const EnergyTimeline& m_timeline;
    const SpreadRule& m_rule;
    double m_offsetSdNs;
    double m_stepMj; // smallest step of the samples' energies; 0 if there are no steps
    std::vector<float> m_unevenness; // relative, for each window
    std::vector<Nanoseconds> m_bridged; // sums before each window
};

} // namespace ep::energy
