// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/core/tally.h"

#include <map>
#include <utility>
#include <vector>

namespace ep {

// What a table of components lacks to add up to the run: embedding, output head and the other
// sections outside of the layers, and what is in no part at all.
class OutsideLayers {
public:
    // Without components, the layers are a part of their own.
    explicit OutsideLayers(bool componentsKnown)
        : m_componentsKnown(componentsKnown)
    {
    }

    void add(const std::vector<SectionSpan>& sections);
    std::vector<std::pair<Section, Tally>> sections() const; // in the order of Section
    // The run without its components and these sections.
    Tally remainder(const Run& head, const Tally& components) const;

private:
    bool m_componentsKnown;
    std::map<Section, Tally> m_sums{}; // also of sections that a program named itself
};

} // namespace ep
