// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/viz/cost_tree.h"
#include "ep/viz/geometry.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ep::viz {

struct TreemapStyle {
    double char_width = 7.0;
    double line_height = 16.0;
    double padding = 2.0; // between a box and what lies in it
    double least_area = 40.0; // square pixels; smaller siblings become one "other"
    int levels = 3; // nested at once
};

// Parents before what lies in them.
struct TreemapCell {
    std::size_t node = 0; // of an "other": the parent of what it stands for
    Rect rect;
    int level = 0; // 0: a child of the root that is shown
    double value = 0.0; // ms or mJ, above 0
    double share = 0.0; // of the root that is shown
    bool container = false; // other cells lie in it; its title stands in a line at its top
    bool label = false; // there is room for its title
    std::vector<std::size_t> others; // nodes that an "other" stands for; empty: not an "other"

    bool other() const { return !others.empty(); }
};

struct TreemapGeometry {
    Rect plot;
    std::vector<TreemapCell> cells;
    double total = 0.0; // of the values that are shown
    int missing = 0; // children of the root, or below them, without a value
    bool all_missing = false;

    std::optional<std::size_t> hit(Point point) const; // the innermost cell
};

// Squarified (Bruls, Huizing and van Wijk 2000). Siblings stand in the order of their time whatever
// the metric is, so that a change of metric moves them little and the same data always looks the
// same. Areas of siblings are in proportion to their values; what is not above zero has no area.
TreemapGeometry layoutTreemap(const CostTree& tree, std::size_t root, CostMetric metric,
                              const Rect& plot, const TreemapStyle& style);

// Sentence for assistive technology: which part leads and by how much.
std::string summarize(const CostTree& tree, std::size_t root, CostMetric metric);

} // namespace ep::viz
