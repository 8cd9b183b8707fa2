// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "uncertainty.h"

#include "ep/core/trace.h"
#include "ep/energy/energy_timeline.h"

namespace ep::energy {

// Two ways to distribute the energy of the same windows, and the uncertainty of the better one.
struct Distributions {
    EnergyTimeline used;
    const EnergyTimeline* other = nullptr; // absent if there is only one way
    const Uncertainty* uncertainty = nullptr;
    bool byCost = false; // `used` is by cost, the better way
    bool refused = false; // no energy is certain enough to be shown
};

EnergyValue valueOver(const TimeRange& time, const Distributions& distributions);

// The energies of all spans, and the power in the middle of each token.
void fillEnergies(RunTrace& trace, const Distributions& distributions);

} // namespace ep::energy
