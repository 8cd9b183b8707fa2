// SPDX-License-Identifier: GPL-3.0-or-later
#include "cut_node.h"

#include <algorithm>

namespace ep::energy {

namespace {

template <typename Energy>
std::optional<double> valueOf(const Energy& energy)
{
    return energy ? std::optional(energy->value) : std::nullopt;
}

} // namespace

NodeCutter::NodeCutter(const EnergyTimeline& timeline, const TimeRange& range)
    : m_timeline(timeline)
    , m_range(range)
{
}

CutNode NodeCutter::cut(const TimeRange& time, std::optional<Millijoules> energy,
                        const std::vector<CutNode>& children) const
{
    EnergyValue value;
    value.total_mj = energy;
    if (energy)
        value.provenance = Provenance::Attributed;
    return cut(time, value, children);
}

CutNode NodeCutter::cut(const TimeRange& time, const EnergyValue& energy,
                        const std::vector<CutNode>& children) const
{
    CutNode node{time, energy, intersection(time, m_range), {}};
    if (node.inside.empty())
        return node;
    if (m_range.contains(time)) {
        node.cut = energy;
        return node;
    }
    const double rest = gapShare(time, children);
    // The children's energy inside the range, plus the same share of the remainder.
    const auto part = [&](auto channelOf) -> std::optional<double> {
        const std::optional<double> whole = valueOf(channelOf(energy));
        if (!whole)
            return std::nullopt;
        double explained = 0.0;
        double inside = 0.0;
        for (const CutNode& child : children) {
            const auto ofChild = valueOf(channelOf(child.whole));
            if (!ofChild)
                return std::nullopt;
            explained += *ofChild;
            inside += valueOf(channelOf(child.cut)).value_or(0.0);
        }
        return inside + (*whole - explained) * rest;
    };
    const auto total = part([](const EnergyValue& value) { return value.total_mj; });
    if (!total)
        return node;
    node.cut.total_mj = Millijoules{*total};
    node.cut.provenance = std::max(energy.provenance, Provenance::Attributed);
    const double share = energy.total_mj->value != 0.0 ? *total / energy.total_mj->value : rest;
    for (std::size_t rail = 0; rail < kRailCount; ++rail) {
        const auto own =
            part([rail](const EnergyValue& value) { return value.rails_mj.values[rail]; });
        if (own)
            node.cut.rails_mj.values[rail] = Millijoules{*own};
        else if (const auto& whole = energy.rails_mj.values[rail])
            node.cut.rails_mj.values[rail] = *whole * share; // children carry no rails
    }
    return node;
}

double NodeCutter::weight(const TimeRange& time) const
{
    return m_timeline.totalOver(time).value_or(Millijoules{}).value;
}

// The fraction inside the range of the node's time outside its children.
double NodeCutter::gapShare(const TimeRange& time, const std::vector<CutNode>& children) const
{
    double energy = 0.0;
    double energyInside = 0.0;
    double length = 0.0;
    double lengthInside = 0.0;
    const auto add = [&](const TimeRange& gap) {
        if (gap.empty())
            return;
        const TimeRange inside = intersection(gap, m_range);
        energy += weight(gap);
        energyInside += weight(inside);
        length += static_cast<double>(gap.duration_ns());
        lengthInside += static_cast<double>(inside.duration_ns());
    };
    Nanoseconds until = time.begin_ns;
    for (const CutNode& child : children) {
        add({until, child.time.begin_ns});
        until = std::max(until, child.time.end_ns);
    }
    add({until, time.end_ns});
    if (energy > 0.0)
        return energyInside / energy;
    return length > 0.0 ? lengthInside / length : 0.0;
}

} // namespace ep::energy
