// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/comparison_charts.h"

namespace ep::ui {

// Charts of one run for its report.
viz::Scene runPower(const Run& run, ChartSize size); // rails and total over time
viz::Scene runTokens(const Run& run, ChartSize size); // energy of each token
viz::Scene runPhases(const Run& run,
                     ChartSize size); // energy, otherwise time, by phase and section
viz::Scene runLayers(const Run& run, const std::vector<ComponentTotal>& totals, ChartSize size);

} // namespace ep::ui
