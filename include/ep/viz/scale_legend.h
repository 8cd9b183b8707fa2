// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/viz/scene.h"

#include <string>

namespace ep::viz {

// The meaning of the colours of the sequential scale.
struct ScaleLegend {
    std::string low; // label at the left end of the colours
    std::string high; // empty: neither colours nor a bar
    std::string caption; // meaning of the colours, including provenance
    Provenance provenance = Provenance::Measured;
    std::string missing; // word for the crossed shapes; empty: there are none
};

// Height of a legend: one line, or two if the caption does not fit next to the bar.
double scaleLegendHeight(const SceneFont& font, double width);

// Adds the bar of the colours with labelled ends, and the caption next to or below it.
void addScaleLegend(Scene& scene, const Rect& area, const ScaleLegend& legend,
                    const SceneFont& font);

} // namespace ep::viz
