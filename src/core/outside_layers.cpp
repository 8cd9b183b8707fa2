// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/outside_layers.h"

namespace ep {

void OutsideLayers::add(const std::vector<SectionSpan>& sections)
{
    for (const SectionSpan& section : sections) {
        const bool divided = section.section == Section::Layers && m_componentsKnown;
        if (!divided && section.phase != Phase::Idle)
            m_sums[section.section].add(tallyOf(section.time, section.energy));
    }
}

std::vector<std::pair<Section, Tally>> OutsideLayers::sections() const
{
    return {m_sums.begin(), m_sums.end()};
}

Tally OutsideLayers::remainder(const Run& head, const Tally& components) const
{
    Tally parts = components;
    for (const auto& [section, sum] : m_sums)
        parts.add(sum);
    return tallyOf(head.trace.time, head.metrics.energy) - parts;
}

} // namespace ep
