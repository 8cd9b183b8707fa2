// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/node_id.h"

namespace ep::energy {

namespace {

int layersOf(const RunGroup& group)
{
    int layers = 0;
    for (const ComparedRun& run : group.runs) {
        if (run.totals && !run.totals->empty())
            layers = std::max(layers, run.totals->back().layer + 1);
    }
    return layers;
}

} // namespace

LayerRows::LayerRows(const std::vector<RunGroup>& groups)
{
    for (const RunGroup& group : groups) {
        layers.push_back(layersOf(group));
        if (layers.back() > 0)
            rows = rows == 0 ? layers.back() : std::min(rows, layers.back());
    }
}

std::string LayerRows::label(int row) const
{
    if (!differ())
        return std::to_string(row);
    std::string text;
    for (const int count : layers) {
        if (count == 0)
            continue;
        const int first = (row * count + rows - 1) / rows;
        const int last = ((row + 1) * count + rows - 1) / rows - 1;
        text += (text.empty() ? "" : "/") + std::to_string(first)
            + (last > first ? "-" + std::to_string(last) : std::string());
    }
    return text;
}

DifferenceNode describeNode(const NodeId& id, const LayerRows& rows)
{
    using Kind = DifferenceNode::Kind;
    DifferenceNode node;
    node.depth = id.part == NodeId::kRun ? 0 : id.child == NodeId::kPart ? 1 : 2;
    if (id.part == NodeId::kRun) {
        node.word = "run";
    } else if (id.part == NodeId::kRestOfLayers || id.part == NodeId::kRestOfRun) {
        node.kind = id.part == NodeId::kRestOfRun ? Kind::RestOfRun : Kind::RestOfLayers;
        node.word = node.kind == Kind::RestOfRun ? "rest of the run" : "rest of the layers";
    } else if (id.part >= NodeId::kComponents && id.part < NodeId::kRestOfLayers) {
        node.kind = Kind::Component;
        node.component = static_cast<Component>(id.part - NodeId::kComponents);
        node.word = name(*node.component);
        if (node.depth == 2) {
            node.layer = id.child;
            const std::string label = rows.label(id.child);
            const bool several = label.find_first_of("-/") != std::string::npos;
            node.word = (several ? "layers " : "layer ") + label;
        }
    } else {
        node.kind = Kind::Section;
        node.section = static_cast<Section>(id.part % NodeId::kComponents);
        node.word = name(*node.section);
        if (node.depth == 2) {
            node.phase = static_cast<Phase>(id.child);
            node.word = name(*node.phase);
        }
    }
    return node;
}

} // namespace ep::energy
