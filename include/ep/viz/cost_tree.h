// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/viz/cost.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ep::viz {

// Which part of a run a node of the tree stands for. What is absent stands above it.
struct CostKey {
    std::optional<Phase> phase{};
    std::optional<Section> section{}; // of all tokens of the phase
    std::optional<std::int32_t> layer{};
    std::optional<Component> component{};
    std::optional<Operation> operation{};
    bool rest = false; // what the parts of this node leave over

    bool operator==(const CostKey&) const = default;
};

// run > phase > layer > component > operation, with the sections beside the layers of a phase and a
// rest wherever children do not explain their parent.
struct CostTree {
    struct Node {
        CostKey key;
        std::string title; // "Layer 3"
        Tally cost;
        std::size_t parent = 0; // of the root: itself
        std::vector<std::size_t> children; // in the order of the model

        bool operator==(const Node&) const = default;
    };

    std::vector<Node> nodes; // the root first, parents before their children; never empty
    std::optional<Milliwatts> baseline;

    bool operator==(const CostTree&) const = default;
    std::optional<double> value(std::size_t node, CostMetric metric) const
    {
        return valueOf(nodes[node].cost, metric, baseline);
    }
    std::optional<std::size_t> find(const CostKey& key) const;
    std::vector<std::size_t> path(std::size_t node) const; // from the root to the node
};

// parts: null while they are not known; the layers of a phase are one node then.
// title: of the root.
CostTree buildCostTree(const Run& run, const RunBreakdown* parts, std::string title = "Run");

} // namespace ep::viz
