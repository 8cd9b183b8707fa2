// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/insights.h"
#include "ep/viz/charts.h"

#include <string>
#include <vector>

// Charts and conclusions about many runs, each with the number of runs behind it. The text is empty
// where the runs carry no conclusion, and so is the chart.
// Pure.
namespace ep::ui {

using RunsInView = std::vector<const RunSummary*>;

viz::Scene scalingChart(const RunsInView& runs, energy::RunFeature feature, RunFigure metric,
                        double width, double height);
std::string scalingText(const RunsInView& runs, energy::RunFeature feature, RunFigure metric);

viz::Scene paretoChart(const RunsInView& runs, double width, double height);
std::string paretoText(const RunsInView& runs);

viz::Scene groupChart(const RunsInView& runs, energy::RunGrouping grouping, RunFigure metric,
                      double width, double height);
std::string groupText(const RunsInView& runs, energy::RunGrouping grouping, RunFigure metric);

viz::Scene tokenCostChart(const RunsInView& runs, double width, double height);
std::string tokenCostText(const RunsInView& runs);

} // namespace ep::ui
