// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/component_total.h"
#include "ep/core/run.h"
#include "ep/core/run_breakdown.h"
#include "ep/core/tally.h"

#include <array>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

// Sums over the tree of a run: by phase and section, by the keys of a breakdown's lists, and by
// layer and component.
namespace ep {

// In double, because 64 bits may be too few for a whole run.
struct WorkSum {
    double flops = 0.0;
    double bytes = 0.0;
    bool complete = true; // every part states its work

    void add(const std::optional<SpanWork>& work);
};

// All spans of one section in a phase.
struct SectionSum {
    Section section = Section::Tokenization;
    Tally sum{};
    WorkSum work{};
};

// Adds up sections by phase, for runs whose steps are read in pieces.
class SectionSums {
public:
    void add(const std::vector<Span>& sections);
    // In the order in which they first occur.
    const std::vector<SectionSum>& of(Phase phase) const;

private:
    std::array<std::vector<SectionSum>, kPhaseCount> m_phases;
};

// All spans of one phase.
struct PhaseSum {
    Phase phase = Phase::Idle;
    Tally sum{}; // with knownEnergy()
    Tally stored{}; // with the stored energies
    std::vector<SectionSum> sections{}; // in the order of Section
};
// All phases except Idle, in the order in which they first occur.
std::vector<PhaseSum> sumsOfPhases(const RunTrace& trace);

// The part of the run not explained by its phases. The energy is absent if that of the run or of
// any phase is.
Tally remainderOfRun(const Run& run);

// The rows that a table of components lacks to add up to the run: embedding, output head and the
// other sections outside of the layers, and the remainder that is in no part at all.
class OutsideLayers {
public:
    // Without components, the layers are a part of their own.
    explicit OutsideLayers(bool componentsKnown)
        : m_componentsKnown(componentsKnown)
    {
    }

    void add(const std::vector<Span>& sections);
    std::vector<std::pair<Section, Tally>> sections() const; // in the order of Section
    // The run without its components and these sections.
    Tally remainder(const Run& head, const Tally& components) const;

private:
    bool m_componentsKnown;
    std::map<Section, Tally> m_sums{}; // also of sections that a program named itself
};

EnergyValue valueOf(const Tally& sum); // without rails

// How much of the spans' deviations averages out over a phase. The error of a span has two parts:
// one that spans of its kind share in all tokens, and one from the sensor's windows that all spans
// of its token share. Adding up the second part over tokens is far too pessimistic, since each
// window errs independently. Comparing its size in the tokens with that in their phase shows how
// much of it is left.
class PhaseErrors {
public:
    PhaseErrors() = default; // without known errors, deviations are added up
    PhaseErrors(std::span<const TokenSpan> tokens, std::span<const PhaseSpan> phases);

    // Returns a sum over spans in all tokens of a phase (prefill: token 0) with the deviation that
    // is left.
    Tally averaged(const Tally& sum, Phase phase) const;

private:
    struct Relative {
        double added = 0.0; // sum of the deviations of the tokens
        double left = 0.0; // deviation of the phase
    };
    static std::optional<Relative> relativeOf(std::span<const TokenSpan> tokens,
                                              std::span<const PhaseSpan> phases, Phase phase);

    std::optional<Relative> m_prefill;
    std::optional<Relative> m_decode;
};

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

// Adds up the entries of a breakdown's list by their keys.
template <typename Of>
class SumsByKey {
public:
    void add(const Of& of)
    {
        const auto [known, isNew] = m_all.try_emplace(keyOf(of), of);
        if (!isNew)
            known->second.sum.add(of.sum);
    }
    // Copies the sums of keys that this object does not have.
    void fill(const SumsByKey& other) { m_all.insert(other.m_all.begin(), other.m_all.end()); }
    std::vector<Of> list() const
    {
        std::vector<Of> all;
        all.reserve(m_all.size());
        for (const auto& [key, of] : m_all)
            all.push_back(of);
        return all;
    }

private:
    std::map<decltype(keyOf(Of())), Of> m_all;
};

// Adds up spans in any order. A span only has a share of its token's energy, so its provenance is
// Attributed at best. Not synchronised: used by one thread.
class BreakdownBuilder {
public:
    void setProvenance(std::int32_t token, Provenance ofToken); // call before adding spans
    void add(const Span& span); // of any level; sections are left out
    void add(const RunTrace& trace); // adds all layers, components and operations
    // errors: for the phases that contain the added tokens.
    RunBreakdown finish(const PhaseErrors& errors = {}) const;

private:
    Tally ownSum(const Span& span) const;

    std::map<std::int32_t, Provenance> m_provenance;
    SumsByKey<RunBreakdown::OfLayer> m_layers;
    SumsByKey<RunBreakdown::OfComponent> m_components;
    SumsByKey<RunBreakdown::OfOperation> m_operations;
    SumsByKey<RunBreakdown::OfExtras> m_extras;
    SumsByKey<RunBreakdown::OfTokenLayer> m_tokenLayers;
    SumsByKey<RunBreakdown::OfTokenLayer> m_tokenLayerParts;
    SumsByKey<RunBreakdown::OfTokenComponent> m_tokenComponents;
};

// Sums components; those of one token and layer must be adjacent. Not synchronised: used by one
// thread. Cells in arrays rather than SumsByKey: a run has millions of these spans.
class TotalsBuilder {
public:
    void add(const Span& span, Provenance ofToken);
    void add(const RunTrace& piece); // all components, with the provenances of the piece's tokens
    // Sorted by layer and component. errors: for the phases that contain the added tokens.
    std::vector<ComponentTotal> finish(const PhaseErrors& errors = {}) const;

private:
    struct Cell {
        ComponentTotal total; // without its sum and statistics
        Tally prefill;
        Tally decode;
        StatsSum stats;
        std::int32_t last_token = kNoToken;
        std::int64_t work_spans = 0;
        SpanWork work;
    };

    std::unordered_map<std::int32_t, std::array<Cell, kComponentCount>> m_layers;
};

} // namespace ep
