// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/viz/cost_tree.h"
#include "ep/viz/geometry.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace ep::viz {

struct TreemapStyle {
    double char_width = 7.0;
    double line_height = 16.0;
    double padding = 2.0; // between a box and its content
    double least_area = 40.0; // square pixels; smaller siblings become one "other"
    int levels = 3; // number of nested levels shown
};

// Parents precede their children.
struct TreemapCell {
    std::size_t node = 0; // for an "other": the parent of the nodes that it combines
    Rect rect;
    int level = 0; // 0: a child of the displayed root
    double value = 0.0; // ms or mJ, positive
    double share = 0.0; // share of the displayed root
    bool container = false; // contains other cells; its title is in a line at its top
    bool label = false; // there is room for its title
    std::vector<std::size_t> others; // nodes that an "other" combines; otherwise empty

    bool other() const { return !others.empty(); }
};

struct TreemapGeometry {
    Rect plot;
    std::vector<TreemapCell> cells;
    double total = 0.0; // sum of the displayed values
    int missing = 0; // number of descendants of the root without a value
    bool all_missing = false;

    std::optional<std::size_t> hit(Point point) const; // the innermost cell
};

// Squarified treemap (Bruls, Huizing and van Wijk 2000). Siblings are ordered by time for every
// metric, so that changing the metric moves them little and the same data always look the same.
// Areas of siblings are proportional to their values; values that are not positive have no area.
TreemapGeometry layoutTreemap(const CostTree& tree, std::size_t root, CostMetric metric,
                              const Rect& plot, const TreemapStyle& style);

// A sentence for assistive technology naming the largest part and its share.
Message summarize(const CostTree& tree, std::size_t root, CostMetric metric);

} // namespace ep::viz
