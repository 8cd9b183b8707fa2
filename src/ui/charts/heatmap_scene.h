// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/viz/axis.h"
#include "ep/viz/heatmap.h"
#include "ep/viz/scene.h"

#include <QString>

#include <optional>
#include <string>

// The picture of a heatmap, which the window paints and reports write. Pure.

namespace ep::ui {

// Texts and figures that headings, cells, legend and tool tips of a heatmap share.
QString number(const viz::DisplayUnit& unit, const std::optional<double>& value, bool withUnit);

// How the numbers of one grid are written: in one unit and with the same number of decimals, so
// that they can be compared at a glance. The unit suits a tenth of `high`, so that small values do
// not become strings of zeros, unless the cells are too narrow for that.
struct GridNumbers {
    viz::DisplayUnit unit;
    int decimals = 0;

    std::string text(const std::optional<double>& value) const; // "<1" instead of a rounded 0
    // The text of the value; empty if it does not fit into the width.
    std::string fitting(const std::optional<double>& value, double width,
                        const viz::SceneFont& font) const;
};
GridNumbers gridNumbers(viz::HeatmapMetric metric, double high, double width,
                        const viz::SceneFont& font);
// The width available for a number: the width of a cell, or of a row's mean if the cells are too
// narrow.
double numberWidth(const viz::HeatmapGeometry& geometry);
// "mean of 40 tokens"; steps: each one is a step of a batch, with a token of each sequence.
QString reductionText(const viz::HeatmapData& data, bool steps);
QString absenceText(const viz::HeatmapData& data); // why values are missing; a sentence
// "attributed, partly missing"; "simulated" if the power source is a simulated one.
QString provenanceText(const viz::HeatmapData& data, const std::string& source);

struct HeatmapOrigin {
    std::string source; // power source of the joules
    bool steps = false; // each token is a step of a batch
};

struct HeatmapPaper {
    double width = 0.0;
    double height = 0.0;
    viz::SceneFont font{};
};

viz::HeatmapStyle heatmapStyle(const viz::SceneFont& font, double width);

viz::Scene heatmapScene(const viz::HeatmapData& data, const viz::HeatmapGeometry& geometry,
                        const viz::HeatmapScale& scale, const HeatmapOrigin& origin,
                        const HeatmapPaper& paper);

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
