// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/core/run.h"
#include "ep/core/run_tree.h"
#include "ep/core/tally.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ep::viz {

// The cost of the parts of a run. Net energy is that of netEnergy().
enum class CostMetric : std::uint8_t { Time, Energy, NetEnergy };
inline constexpr std::array<CostMetric, 3> kCostMetrics{CostMetric::Time, CostMetric::Energy,
                                                        CostMetric::NetEnergy};
std::string_view title(CostMetric metric); // "Time", "Energy", "Net energy"
std::string_view unit(CostMetric metric); // "ms" or "mJ"

// In ms or mJ; absent if missing.
std::optional<double> valueOf(const Tally& cost, CostMetric metric,
                              std::optional<Milliwatts> baseline);
std::optional<Milliwatts> baselineOf(const Run& run); // total idle power

// Whether the metric can be shown for this run at all.
bool available(const Run& run, CostMetric metric);

// The part of a run that a node represents. Absent members mean a level closer to the root.
struct CostKey {
    std::optional<Phase> phase{};
    std::optional<Section> section{}; // summed over all tokens of the phase
    std::optional<std::int32_t> layer{};
    std::optional<Component> component{};
    std::optional<Operation> operation{};
    bool rest = false; // the remainder of the node outside its parts

    bool operator==(const CostKey&) const = default;
};

// run > phase > layer > component > operation, with the sections next to the layers of a phase,
// and a remainder wherever children do not account for their parent.
struct CostTree {
    struct Node {
        CostKey key;
        Message title; // "Layer 3"
        Tally cost;
        std::size_t parent = 0; // the root is its own parent
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

// parts: null if not known yet; the layers of a phase are then one node.
// title: title of the root.
CostTree buildCostTree(const Run& run, const RunBreakdown* parts, Message title = "Run");

} // namespace ep::viz
