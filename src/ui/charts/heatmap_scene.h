// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/viz/heatmap.h"
#include "ep/viz/scene.h"

#include <string>

// The picture of a heatmap, which the window paints and reports write. Pure.
namespace ep::ui {

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

} // namespace ep::ui
