// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/comparison.h"
#include "ep/viz/axis.h"
#include "ep/viz/charts.h"

#include <QString>

#include <string>
#include <string_view>
#include <vector>

// Charts of a comparison and of a run, which the window, reports and `runs report` share. Pure.

namespace ep::ui {

struct ChartSize {
    double width = 760.0;
    double height = 300.0;
};
viz::ChartFrame frameOf(ChartSize size, std::string title);
// The unit that suits the largest value of an axis. unit: of the values, such as "J/token" or "mW".
viz::DisplayUnit axisUnit(std::string_view unit, double largest);
// Charts whose vertical axis is in that unit, which becomes its title.
viz::Scene linesIn(std::string_view unit, viz::LineChart chart);
viz::Scene distributionsIn(std::string_view unit, viz::DistributionChart chart);
// Bars for energies, the largest of which is this number of mJ.
viz::BarChart energyBars(ChartSize size, std::string title, std::string empty, double largest);

// The label of a group in the language of the window.
std::string labelOf(const energy::Comparison& comparison, std::size_t group);

enum class PowerAlignment { DecodeStart, RunStart, TokenIndex };

// Power of the first run of each group: by time, over seconds; by token, the mean power of each
// token.
viz::Scene powerOverlay(const std::vector<energy::RunGroup>& groups,
                        const energy::Comparison& comparison, PowerAlignment alignment,
                        ChartSize size);
// Cumulative energy over the decoded tokens, for the first run of each group.
viz::Scene cumulativeEnergy(const std::vector<energy::RunGroup>& groups,
                            const energy::Comparison& comparison, ChartSize size);
// J/token of every run if a group has repeats, otherwise of each decoded token of its only run.
viz::Scene energyDistributions(const std::vector<energy::RunGroup>& groups,
                               const energy::Comparison& comparison, ChartSize size);
// One figure for all groups: every run, with mean and interval.
viz::Scene metricDistributions(const energy::Comparison& comparison, RunFigure metric,
                               ChartSize size);
using energy::NodeQuantity;
// Layers x components: the group minus the baseline.
viz::Scene layerDifferences(const energy::Comparison& comparison, std::size_t group,
                            NodeQuantity quantity, ChartSize size);

// "run", "Prefill", "LM head", "Layer 3", "Q projection".
std::string titleOf(const energy::DifferenceNode& node);

// "measured" etc. with the source, for the note of a chart.
std::string provenanceNote(const energy::Comparison& comparison);

viz::Scene runPower(const Run& run, ChartSize size); // rails and total over time
viz::Scene runTokens(const Run& run, ChartSize size); // energy of each token
viz::Scene runPhases(const Run& run,
                     ChartSize size); // energy, otherwise time, by phase and section
viz::Scene runLayers(const Run& run, const std::vector<ComponentTotal>& totals, ChartSize size);

} // namespace ep::ui
