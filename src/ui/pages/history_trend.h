// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/viz/charts.h"

#include <vector>

namespace ep::ui {

// J/token of runs over time, with a line for each of the models with the most runs and a point for
// each run. runs: in any order; the newest 2,000 with a figure are shown.
viz::Scene trendOf(const std::vector<const RunSummary*>& runs, double width, double height);

} // namespace ep::ui
