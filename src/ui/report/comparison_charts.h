// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/comparison.h"
#include "ep/viz/charts.h"

#include <string>
#include <vector>

// A comparison and a run as charts; the window, reports and `render` show the same ones. Pure.
namespace ep::ui {

struct ChartSize {
    double width = 760.0;
    double height = 300.0;
};
viz::ChartFrame frameOf(ChartSize size, std::string title);

enum class PowerAlignment { DecodeStart, RunStart, TokenIndex };

// Of the first run of each group. Aligned by time: power over seconds; by token: mean power of
// each token.
viz::Scene powerOverlay(const std::vector<energy::RunGroup>& groups,
                        const energy::Comparison& comparison, PowerAlignment alignment,
                        ChartSize size);
// Joules over the decoded tokens, added up; of the first run of each group.
viz::Scene cumulativeEnergy(const std::vector<energy::RunGroup>& groups,
                            const energy::Comparison& comparison, ChartSize size);
// J/token of each run where a group has repeats, else of each decoded token of the one run.
viz::Scene energyDistributions(const std::vector<energy::RunGroup>& groups,
                               const energy::Comparison& comparison, ChartSize size);
// One figure of all groups: every run, mean and interval.
viz::Scene metricDistributions(const energy::Comparison& comparison, RunFigure metric,
                               ChartSize size);
enum class NodeQuantity { Energy, Time };
// Layers x components of a group minus those of the baseline.
viz::Scene layerDifferences(const energy::Comparison& comparison, std::size_t group,
                            NodeQuantity quantity, ChartSize size);

// "run", "Prefill", "LM head", "Layer 3", "Q projection".
std::string titleOf(const energy::DifferenceNode& node);
// "measured" and the like with the source, for the note of a chart.
std::string provenanceNote(const energy::Comparison& comparison);

} // namespace ep::ui
