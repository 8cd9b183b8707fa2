// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/outside_layers.h"

namespace ep {

void OutsideLayers::add(const std::vector<SectionSpan>& sections)
{
    for (const SectionSpan& section : sections) {
        const bool divided = section.section == Section::Layers && m_componentsKnown;
        if (!divided && section.phase != Phase::Idle)
            m_sums[static_cast<std::size_t>(section.section)].add(
                tallyOf(section.time, section.energy));
    }
}

std::vector<std::pair<Section, Tally>> OutsideLayers::sections() const
{
    std::vector<std::pair<Section, Tally>> list;
    for (std::size_t i = 0; i < m_sums.size(); ++i) {
        if (m_sums[i].spans > 0)
            list.emplace_back(static_cast<Section>(i), m_sums[i]);
    }
    return list;
}

Tally OutsideLayers::remainder(const Run& head, const Tally& components) const
{
    Tally parts = components;
    for (const Tally& sum : m_sums)
        parts.add(sum);
    return tallyOf(head.trace.time, head.metrics.energy) - parts;
}

} // namespace ep
