// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/viz/heatmap.h"

#include <optional>

namespace ep::ui {

// A common upper end of the colours for heatmaps that are shown one after another, so that they
// can be compared. It only grows. GUI thread only.
class GrowingScale {
public:
    void reset() { m_high.reset(); }
    double of(const viz::HeatmapData& shown);

private:
    std::optional<double> m_high; // highest so far with the last heatmap's metric
    viz::HeatmapMetric m_metric = viz::HeatmapMetric::TimeMs;
    viz::CellReduction m_reduction = viz::CellReduction::Mean;
};

} // namespace ep::ui
