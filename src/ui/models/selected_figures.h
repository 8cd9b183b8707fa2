// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/energy/figures.h"
#include "ep/energy/ledger.h"
#include "ep/ui/charts/power_history.h"
#include "ep/ui/charts/selection_controller.h"

#include <memory>
#include <optional>

namespace ep::ui {

using ExcerptPtr = std::shared_ptr<const energy::Excerpt>;

// The samples of a run, prepared for queries. Immutable.
struct RunEnergy {
    PowerHistoryPtr history; // never null
    std::shared_ptr<const energy::Ledger> ledger; // never null
};
RunEnergy runEnergyOf(const RunPtr& run); // any thread; O(samples)

// Time and energy of the selection: of the whole run or the selected time, in all or one part of
// the layers. Absent while the required data is not loaded. excerpt: for the selected time; whole:
// the breakdown of the run. Both may be null.
struct SelectedEnergy {
    Tally sum;
    PerRail<Millijoules> rails_mj{};

    bool operator==(const SelectedEnergy&) const = default;
};
std::optional<SelectedEnergy> selectedEnergy(const Run& run, const viz::Selection& selection,
                                             const energy::Excerpt* excerpt,
                                             const RunBreakdown* whole);

// Figures of a selected layer, component or operation; unknown figures are absent. Returns nothing
// if none of these is selected.
std::optional<RunMetrics> metricsOfPart(const SelectionController& chosen,
                                        const std::optional<SelectedEnergy>& energy);

// The aggregate that the charts show instead of the run's sums while no time is selected.
struct ShownAggregate {
    QString title{}; // "Typical token"
    ExcerptPtr excerpt{}; // null: the sums of the run
};

// Energy, mean and peak power, tokens, J/token, cost and share of the run for the selection, with
// provenance. energy: absent while unknown.
ChartDetails figuresOf(const SelectionController& chosen,
                       const std::optional<SelectedEnergy>& energy, const PowerHistory* history,
                       const energy::Tariff& tariff, const ShownAggregate& aggregate = {});

} // namespace ep::ui
