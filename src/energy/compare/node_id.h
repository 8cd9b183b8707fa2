// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/comparison.h"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <string>
#include <vector>

// The nodes of a difference tree: what they are, in what order, and how they are called.
namespace ep::energy {

// A part and, below it, a layer or phase; sorts in display order.
struct NodeId {
    int part = kRun;
    int child = kPart;

    auto operator<=>(const NodeId&) const = default;

    static constexpr int kRun = -1;
    static constexpr int kPart = -1; // the part itself
    // Components and the rest of the layers take the place of the section "layers".
    static constexpr int kComponents = 1000;
    static constexpr int kRestOfLayers = 1999;
    static constexpr int kSections = 2000;
    static constexpr int kRestOfRun = 3000;

    static NodeId of(Section section)
    {
        const int order = static_cast<int>(section);
        return {.part = section < Section::Layers ? order : kSections + order};
    }
    static NodeId of(Component component)
    {
        return {.part = kComponents + static_cast<int>(component)};
    }
    NodeId below(int index) const { return {.part = part, .child = index}; }
};

// Number of rows that the layers of all groups share; a layer's row is its relative depth.
struct LayerRows {
    std::vector<int> layers; // number of layers of each group; 0: unknown
    int rows = 0;

    explicit LayerRows(const std::vector<RunGroup>& groups);
    int rowOf(int layer, std::size_t group) const { return layer * rows / layers[group]; }
    bool differ() const
    {
        return std::any_of(layers.begin(), layers.end(),
                           [&](int count) { return count != 0 && count != rows; });
    }
    // "3"; "3/6-7" if the second group has twice as many layers.
    std::string label(int row) const;
};

// The node without its values and its parent.
DifferenceNode describeNode(const NodeId& id, const LayerRows& rows);

} // namespace ep::energy
