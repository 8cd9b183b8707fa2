// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/component_total.h"
#include "ep/core/run.h"
#include "ep/core/run_breakdown.h"
#include "ep/core/tally.h"

#include <map>
#include <tuple>
#include <vector>

// Sums over the tree of a run: by phase and section, and by the keys of a breakdown's lists.
namespace ep {

// All spans of one phase, with knownEnergy(), and the sums of its sections.
struct PhaseSum {
    Phase phase = Phase::Idle;
    Tally sum;
    std::map<Section, Tally> sections{};
};
// All phases except Idle, in the order in which they first occur.
std::vector<PhaseSum> sumsOfPhases(const RunTrace& trace);

EnergyValue valueOf(const Tally& sum); // without rails

inline auto keyOf(const RunBreakdown::OfLayer& of)
{
    return std::tuple(of.phase, of.layer);
}
inline auto keyOf(const RunBreakdown::OfComponent& of)
{
    return std::tuple(of.phase, of.layer, of.component);
}
inline auto keyOf(const RunBreakdown::OfOperation& of)
{
    return std::tuple(of.phase, of.layer, of.component, of.operation);
}
inline auto keyOf(const RunBreakdown::OfExtras& of)
{
    return std::tuple(of.layer, of.component);
}
inline auto keyOf(const RunBreakdown::OfTokenLayer& of)
{
    return std::tuple(of.token, of.layer);
}
inline auto keyOf(const RunBreakdown::OfTokenComponent& of)
{
    return std::tuple(of.token, of.component);
}
inline auto keyOf(const ComponentTotal& of)
{
    return std::tuple(of.layer, of.component);
}

// Adds up the entries of one of these lists by their keys.
template <typename Of>
class SumsByKey {
public:
    void add(const Of& of)
    {
        const auto [known, isNew] = m_all.try_emplace(keyOf(of), of);
        if (!isNew)
            known->second.sum.add(of.sum);
    }
    std::vector<Of> list() const
    {
        std::vector<Of> all;
        for (const auto& [key, of] : m_all)
            all.push_back(of);
        return all;
    }

private:
    std::map<decltype(keyOf(Of())), Of> m_all;
};

} // namespace ep
