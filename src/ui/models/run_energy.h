// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/energy/energy_timeline.h"
#include "ep/energy/figures.h"
#include "ep/ui/charts/power_history.h"
#include "ep/ui/charts/selection_controller.h"

#include <memory>

namespace ep::ui {

// The samples of a run made ready for questions: any stretch of time in O(log n). A const value.
struct RunEnergy {
    PowerHistoryPtr history; // never null
    std::shared_ptr<const energy::EnergyTimeline> timeline; // never null
};
RunEnergy runEnergyOf(const Run& run); // any thread; O(samples)

// Energy, mean and peak power, tokens, J/token, cost and share of the run for what is chosen in
// time, with provenance. `energy` may be null: then it is not known yet.
ChartDetails figuresOf(const SelectionController& chosen, const RunEnergy* energy,
                       const energy::Tariff& tariff);

} // namespace ep::ui
