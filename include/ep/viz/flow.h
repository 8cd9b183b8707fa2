// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/viz/cost_tree.h"
#include "ep/viz/geometry.h"
#include "ep/viz/metric.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ep::viz {

// A run as a flow: input > embedding > layers (grouped if there are many), which split into
// attention, MLP, norms etc. > head > output. Whatever enters a node leaves it; the input is the
// whole run.
struct FlowGraph {
    enum class Kind { Input, Stage, Layers, Split, Output };
    struct Node {
        Kind kind = Kind::Stage;
        Message title;
        int column = 0;
        double rank = 0.0; // from top to bottom within a column
        double value = 0.0; // ms or mJ
        Provenance provenance = Provenance::Missing;
        bool partial = false;
        std::optional<RunPart> part; // for a stage or split
        std::int32_t first_layer = -1; // for layers: [first, last]
        std::int32_t last_layer = -1;
    };
    struct Link {
        std::size_t from = 0;
        std::size_t to = 0;
        double value = 0.0; // always positive
    };

    CostMetric metric = CostMetric::Time;
    std::vector<Node> nodes; // input first, output last
    std::vector<Link> links;
    int columns = 0;
    bool missing = false; // the metric has no value for this run
    bool clipped = false; // some part was negative and counts as zero

    bool empty() const { return links.empty(); }
    double into(std::size_t node) const;
    double outOf(std::size_t node) const;
    // The share of each link that has passed, or will pass, through the node: 0..1.
    std::vector<double> through(std::size_t node) const;
};

// Sums the layers over all phases. With more than mostGroups layers, adjacent ones share a node.
FlowGraph buildFlow(const CostTree& tree, CostMetric metric, int mostGroups = 12);

struct SankeyStyle {
    double char_width = 7.0;
    double line_height = 16.0;
    double node_width = 16.0;
    double gap = 8.0; // between the nodes of a column
};

struct SankeyGeometry {
    // One piece of a link, between two adjacent columns.
    struct Band {
        double x0 = 0.0;
        double y0 = 0.0; // upper edge at the left
        double x1 = 0.0;
        double y1 = 0.0; // upper edge at the right
        double width = 0.0;
    };
    struct Link {
        std::vector<Band> bands; // more than one if the link crosses columns
    };

    Rect plot;
    std::vector<Rect> nodes;
    std::vector<Rect> labels; // empty if there is no room
    std::vector<Link> links;
    double scale = 0.0; // pixels per ms or mJ

    bool empty() const { return nodes.empty(); }
    std::optional<std::size_t> hitNode(Point point) const;
    std::optional<std::size_t> hitLink(Point point) const; // the topmost link
};

SankeyGeometry layoutSankey(const FlowGraph& graph, const Rect& plot, const SankeyStyle& style);

// y coordinate of a band's upper edge at x.
double bandTop(const SankeyGeometry::Band& band, double x);

Message summarize(const FlowGraph& graph);

} // namespace ep::viz
