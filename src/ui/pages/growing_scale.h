// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/viz/heatmap.h"

#include <optional>

namespace ep::ui {

// One upper end of the colours for heatmaps that are shown one after the other, so that they can be
// compared: it only grows. GUI thread only.
class GrowingScale {
public:
    void reset() { m_high.reset(); }
    double of(const viz::HeatmapData& shown);

private:
    std::optional<double> m_high; // of the heatmaps so far, in the metric and reduction of the last
    viz::HeatmapMetric m_metric = viz::HeatmapMetric::TimeMs;
    viz::CellReduction m_reduction = viz::CellReduction::Mean;
};

} // namespace ep::ui
