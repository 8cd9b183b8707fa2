// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/quality_record.h"
#include "ep/energy/insights.h"
#include "ep/session/quality.h"
#include "ep/viz/charts.h"

#include <string>
#include <vector>

// Charts and conclusions about many runs, each with the number of runs behind it. The text is empty
// where the runs support no conclusion, and so is the chart. Pure.

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

// Energy against quality: which runs are not beaten in both by any other. Pure.
using Qualities = std::vector<QualityRecord>; // newest first

// Uses the text for which most runs can be shown.
viz::Scene qualityChart(const RunsInView& runs, const Qualities& qualities, double width,
                        double height);
std::string qualityFrontText(const RunsInView& runs, const Qualities& qualities);

// Adds the measurement of a run's model, unless it is there already.
void addQualityRequest(const RunInfo& info, std::vector<session::QualityRequest>& requests);
// The measurements that give every run a quality: each model, format and device once.
std::vector<session::QualityRequest> qualityRequests(const RunsInView& runs,
                                                     const Qualities& qualities);

} // namespace ep::ui
