// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/activation_stats.h"
#include "ep/core/run.h"
#include "ep/core/run_part.h"
#include "ep/core/tally.h"
#include "ep/core/trace.h"

#include <algorithm>
#include <array>
#include <cstdint>
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

// Sums of statistics over spans, in double, because float would lose digits after a thousand
// additions.
struct StatsSum {
    double mean_abs = 0.0;
    double std = 0.0;
    double max_abs = 0.0; // the maximum; NaN is ignored
    double sparsity = 0.0;
    std::int64_t spans = 0;

    void add(const ActivationStats& means, std::int64_t ofSpans = 1);
    std::optional<ActivationStats> mean() const; // absent without spans
};

// One component of one layer over all tokens of a run, which is what a heatmap shows without
// loading the spans.
struct ComponentTotal {
    std::int32_t layer = 0;
    Component component = Component::InputLayernorm;
    std::int64_t tokens = 0; // number of tokens that have this component
    Tally sum; // counts more spans than tokens if the component occurs twice in a layer
    std::int64_t stats_spans = 0;
    std::optional<ActivationStats> stats; // means over the spans; max_abs is the maximum
    std::optional<SpanWork> work; // sum; missing if any span has none

    bool operator==(const ComponentTotal&) const = default;
};

std::vector<ComponentTotal> totalsOf(const RunTrace& trace);

// Sums of figures that only operations at depth deep have. A figure per head counts as its mean
// over the heads; NaN is ignored.
struct ExtrasSum {
    struct Figure {
        double sum = 0.0;
        std::int64_t count = 0;

        bool operator==(const Figure&) const = default;
        void add(std::optional<double> value);
        void add(const Figure& other);
        std::optional<double> mean() const; // mean over the operations that have the figure
    };
    Figure attention_entropy;
    Figure activation_kill_ratio;
    Figure variance_ratio;

    bool operator==(const ExtrasSum&) const = default;
    bool empty() const { return *this == ExtrasSum(); }
    void add(const OperationExtras& extras);
    void add(const ExtrasSum& other);
};

// Sums over a run's spans along the dimensions of its charts, without keys that have no spans and
// without interrupted spans. Phases are Prefill (step 0) and Decode.
struct RunBreakdown {
    struct OfLayer {
        Phase phase = Phase::Decode;
        std::int32_t layer = 0;
        Tally sum;

        bool operator==(const OfLayer&) const = default;
    };
    struct OfComponent {
        Phase phase = Phase::Decode;
        std::int32_t layer = 0;
        Component component = Component::InputLayernorm;
        Tally sum;

        bool operator==(const OfComponent&) const = default;
    };
    struct OfOperation {
        Phase phase = Phase::Decode;
        std::int32_t layer = 0;
        Component component = Component::InputLayernorm;
        Operation operation = Operation::QkMatmul;
        Tally sum;

        bool operator==(const OfOperation&) const = default;
    };
    struct OfExtras {
        std::int32_t layer = 0;
        Component component = Component::InputLayernorm;
        ExtrasSum sum; // over the component's operations in all tokens

        bool operator==(const OfExtras&) const = default;
    };
    struct OfTokenLayer {
        std::int32_t token = 0;
        std::int32_t layer = 0;
        Tally sum; // sum of the layer's span or, without one, of its components

        bool operator==(const OfTokenLayer&) const = default;
    };
    struct OfTokenComponent {
        std::int32_t token = 0;
        Component component = Component::InputLayernorm;
        Tally sum; // over the layers

        bool operator==(const OfTokenComponent&) const = default;
    };

    // Each list is sorted by its key.
    std::vector<OfLayer> layers;
    std::vector<OfComponent> components;
    std::vector<OfOperation> operations;
    std::vector<OfExtras> extras; // components with such operations
    std::vector<OfTokenLayer> token_layers;
    std::vector<OfTokenComponent> token_components;

    bool operator==(const RunBreakdown&) const = default;
    bool empty() const { return components.empty() && layers.empty(); }
};

// The breakdown of a trace that is entirely in memory.
RunBreakdown breakDown(const RunTrace& trace);

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

// What the parts of a whole do not account for. A rounding error of the sum counts as zero energy.
Tally remainderOf(const Tally& whole, const Tally& parts);
bool isRemainder(const Tally& rest, const Tally& whole); // more than a rounding error

// The part of the run not explained by its phases. The energy is absent if the run or any phase
// lacks one.
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
    void addComponent(const Span& component); // for remainders()
    std::vector<std::pair<Section, Tally>> sections() const; // in the order of Section
    // What is in no component and no section: RunPart::Rest and RunPart::Outside.
    std::map<RunPart, Tally> remainders(const Run& head) const;
    // The run without its components and these sections.
    Tally remainder(const Run& head, const Tally& components) const;

private:
    bool m_componentsKnown;
    std::map<Section, Tally> m_sums{}; // also of sections that a program named itself
    std::array<Tally, kPhaseCount> m_inside{}; // components and sections of each phase
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

// The key of a node: its phase, token, layer, component and operation, as far as it has them.
template <typename Of>
auto keyOf(const Of& of)
{
    if constexpr (requires { of.operation; })
        return std::tuple(of.phase, of.layer, of.component, of.operation);
    else if constexpr (requires {
                           of.phase;
                           of.component;
                       })
        return std::tuple(of.phase, of.layer, of.component);
    else if constexpr (requires { of.phase; })
        return std::tuple(of.phase, of.layer);
    else if constexpr (requires {
                           of.token;
                           of.component;
                       })
        return std::tuple(of.token, of.component);
    else if constexpr (requires { of.token; })
        return std::tuple(of.token, of.layer);
    else
        return std::tuple(of.layer, of.component);
}

// A cell: one component of one layer, summed over the tokens of a run.
struct CellSum {
    std::int32_t layer = 0;
    Component component = Component::InputLayernorm;
    Tally prefill{};
    Tally decode{};
    StatsSum stats{};
    ExtrasSum extras{}; // over its operations
    std::int64_t tokens = 0; // number of tokens that have this component
    std::int32_t last_token = kNoToken;
    std::int64_t work_spans = 0;
    SpanWork work{};

    // Adds a span of the component; spans of one token must be adjacent.
    void add(const Span& span, Provenance ofToken);
    Tally sum() const;
};

// Adds up the spans of one kind, or the entries of one list, by their keys. In hash tables, because
// a run has millions of spans.
template <typename Of>
class SumsByKey {
public:
    using Key = decltype(keyOf(Of()));

    void add(const Of& of)
    {
        const auto [known, isNew] = m_all.try_emplace(keyOf(of), of);
        if (!isNew)
            known->second.sum.add(of.sum);
    }
    Of& operator[](const Key& key) { return m_all[key]; }
    // Copies the sums of keys that this object does not have.
    void fill(const SumsByKey& other) { m_all.insert(other.m_all.begin(), other.m_all.end()); }
    std::vector<Of> list() const // sorted by key
    {
        std::vector<Of> all;
        all.reserve(m_all.size());
        for (const auto& [key, of] : m_all)
            all.push_back(of);
        std::ranges::sort(all, {}, [](const Of& of) { return keyOf(of); });
        return all;
    }

private:
    struct Hash {
        std::size_t operator()(const Key& key) const
        {
            std::size_t hash = 0;
            const auto mix = [&hash](auto part) {
                hash = hash * 1021 + static_cast<std::size_t>(part);
            };
            std::apply([&mix](auto... parts) { (mix(parts), ...); }, key);
            return hash;
        }
    };
    std::unordered_map<Key, Of, Hash> m_all;
};

// Sums components over the tokens of a run. Not synchronised: used by one thread.
class CellSums {
public:
    void add(const Span& span, Provenance ofToken); // a component, or an operation for its extras
    void add(const RunTrace& piece); // all components, with the provenances of the piece's tokens
    // Sorted by layer and component. errors: for the phases that contain the added tokens.
    std::vector<ComponentTotal> totals(const PhaseErrors& errors = {}) const;
    std::vector<RunBreakdown::OfExtras> extras() const;
    std::vector<CellSum> list() const { return m_cells.list(); }

private:
    SumsByKey<CellSum> m_cells;
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
    // Only if the components of a token were added together.
    std::vector<ComponentTotal> totals(const PhaseErrors& errors) const
    {
        return m_components.totals(errors);
    }

private:
    std::map<std::int32_t, Provenance> m_provenance;
    CellSums m_components;
    SumsByKey<RunBreakdown::OfLayer> m_layers;
    SumsByKey<RunBreakdown::OfOperation> m_operations;
    SumsByKey<RunBreakdown::OfTokenLayer> m_tokenLayers;
    SumsByKey<RunBreakdown::OfTokenLayer> m_tokenLayerParts;
    SumsByKey<RunBreakdown::OfTokenComponent> m_tokenComponents;
};

} // namespace ep
