// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/disturbed_tokens.h"
#include "ep/core/metrics.h"
#include "ep/core/quantile.h"
#include "ep/core/run_tree.h"
#include "ep/core/trace_lookup.h"
#include "ep/energy/aggregate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace ep::energy {

namespace {

constexpr std::int32_t kTypicalAtOnce = 32; // tokens
constexpr std::int32_t kTypicalIndex = 1; // index of the token in the result, a decoded one

// One node in each token. Floats: there may be millions of them.
class NodeValues {
public:
    void add(const Tally& own)
    {
        m_ns.push_back(static_cast<float>(own.duration_ns));
        const auto energy = own.complete();
        if (!energy)
            return;
        m_mj.push_back(static_cast<float>(energy->value));
        m_provenance = std::max(m_provenance, own.provenance);
        if (own.sd_mj)
            m_sd.push_back(static_cast<float>(own.sd_mj->value));
    }

    // Returns the medians as a single span. Its energy is known if that of most tokens is.
    Tally median() const
    {
        std::optional<Millijoules> energy;
        std::optional<Millijoules> sd;
        if (2 * m_mj.size() > m_ns.size()) {
            energy = Millijoules{medianOfFloats(m_mj)};
            if (m_sd.size() == m_mj.size())
                sd = Millijoules{medianOfFloats(m_sd)};
        }
        return tallyOf(std::llround(medianOfFloats(m_ns)), energy, m_provenance, sd);
    }

private:
    static double medianOfFloats(const std::vector<float>& values)
    {
        return medianOf(std::vector<double>(values.begin(), values.end()));
    }

    std::vector<float> m_ns;
    std::vector<float> m_mj;
    std::vector<float> m_sd;
    Provenance m_provenance = Provenance::Measured;
};

// A node of a token's tree. Absent members mean a level closer to the root, so that every node
// comes before its parts.
struct NodeKey {
    std::optional<Section> section{};
    std::optional<std::int32_t> layer{};
    std::optional<Component> component{};
    std::optional<Operation> operation{};

    bool operator==(const NodeKey&) const = default;
    bool operator<(const NodeKey& other) const
    {
        return std::tie(section, layer, component, operation)
            < std::tie(other.section, other.layer, other.component, other.operation);
    }

    static NodeKey ofLayer(std::int32_t layer) { return {Section::Layers, layer, {}, {}}; }
    bool isLayer() const { return layer && !component; }
    bool isComponent() const { return component && !operation; }
    NodeKey parent() const
    {
        return operation ? NodeKey{section, layer, component, {}}
            : component  ? NodeKey{section, layer, {}, {}}
            : layer      ? NodeKey{section, {}, {}, {}}
                         : NodeKey();
    }
};
using Sums = std::map<NodeKey, Tally>;
using Values = std::map<NodeKey, NodeValues>;

// The time and energy outside the parts; zero if children overlap.
Tally restOf(const Tally& whole, const Tally& parts)
{
    Tally rest = whole - parts;
    rest.duration_ns = std::max<Nanoseconds>(0, rest.duration_ns);
    if (rest.energy_mj && rest.energy_mj->value < 0.0)
        rest.energy_mj = Millijoules{0.0};
    rest.spans = rest.energy_spans = 1;
    rest.energy_duration_ns = rest.energy_mj ? rest.duration_ns : 0;
    return rest;
}

// Scales the parts of a node so that they and the rest add up to the node.
void fit(const Tally& whole, const std::vector<Tally*>& parts, const Tally& rest)
{
    Tally sum = rest;
    for (const Tally* part : parts)
        sum.add(*part);
    const double longer = sum.duration_ns > 0
        ? static_cast<double>(whole.duration_ns) / static_cast<double>(sum.duration_ns)
        : 1.0;
    const auto known = sum.complete();
    const double more =
        known && known->value > 0.0 && whole.energy_mj ? *whole.energy_mj / *known : 1.0;
    for (Tally* part : parts) {
        part->duration_ns = std::llround(static_cast<double>(part->duration_ns) * longer);
        if (!part->energy_mj)
            continue;
        part->energy_duration_ns = part->duration_ns;
        part->energy_mj = *part->energy_mj * more;
        if (part->sd_mj)
            part->sd_mj = *part->sd_mj * more;
    }
}

class TypicalBuilder {
public:
    explicit TypicalBuilder(const Run& run)
        : m_run(run)
    {
        for (const SectionSpan& section : run.trace.sections)
            m_sectionsOf[section.token].push_back(&section);
    }

    void add(const TokenSpan& token, const RunTrace& steps)
    {
        if (m_first == nullptr)
            m_first = &token;
        Sums sums;
        sums[{}] = tallyOf(token.time, token.energy);
        for (std::size_t rail = 0; rail < kRailCount; ++rail) {
            const auto& energy = token.energy.rails_mj.values[rail];
            if (energy)
                m_rails[rail].add(
                    tallyOf(token.time.duration_ns(), *energy, token.energy.provenance));
        }
        const Provenance how = std::max(token.energy.provenance, Provenance::Attributed);
        const auto tally = [&](const auto& span) {
            return tallyOf(span.time.duration_ns(), span.energy_mj, how,
                           span.energy_notes.deviation());
        };
        for (const SectionSpan* section : m_sectionsOf[token.index])
            sums[{section->section}].add(tallyOf(section->time, section->energy));
        const auto layers = layersOf(steps, token.index);
        for (const LayerSpan& span : layers)
            sums[NodeKey::ofLayer(span.layer)].add(tally(span));
        for (const ComponentSpan& span : componentsOf(steps, token.index)) {
            NodeKey key = NodeKey::ofLayer(span.layer);
            if (layers.empty())
                sums[key].add(tally(span));
            key.component = span.component;
            sums[key].add(tally(span));
            m_totals.add(span, token.energy.provenance);
        }
        for (const OperationSpan& span : operationsOf(steps, token.index)) {
            sums[{Section::Layers, span.layer, span.component, span.operation}].add(tally(span));
            if (span.extras)
                m_extras.add({span.layer, span.component, sumOf(*span.extras)});
        }
        addRests(sums);
        for (const auto& [key, sum] : sums)
            m_values[key].add(sum);
    }

    Excerpt finish() const
    {
        Sums sums;
        for (const auto& [key, values] : m_values)
            sums[key] = values.median();
        std::map<NodeKey, std::vector<Tally*>> parts;
        for (auto& [key, sum] : sums) {
            if (key != NodeKey())
                parts[key.parent()].push_back(&sum);
        }
        for (const auto& [key, sum] : sums) {
            const auto rest = m_rests.find(key);
            if (const auto own = parts.find(key); own != parts.end())
                fit(sum, own->second, rest != m_rests.end() ? rest->second.median() : Tally());
        }
        Excerpt result;
        result.sum = sums[{}];
        fillRun(result.run, sums);
        fillParts(result.parts, sums);
        result.totals = m_totals.finish();
        for (ComponentTotal& total : result.totals) {
            total.sum = sums.at({Section::Layers, total.layer, total.component, {}});
            if (total.work) {
                total.work->flops /= total.tokens;
                total.work->bytes /= total.tokens;
            }
        }
        return result;
    }

private:
    // What nodes with parts need outside of them; a token and its layers also without parts.
    void addRests(const Sums& sums)
    {
        Sums parts;
        parts[{}] = {};
        parts[{Section::Layers}] = {};
        for (const auto& [key, sum] : sums) {
            if (key != NodeKey())
                parts[key.parent()].add(sum);
        }
        for (const auto& [key, sum] : parts) {
            if (const auto own = sums.find(key); own != sums.end())
                m_rests[key].add(restOf(own->second, sum));
        }
    }

    // The medians of the rails, scaled the same way.
    EnergyValue energyOf(const Tally& whole) const
    {
        EnergyValue value = valueOf(whole);
        if (!whole.energy_mj)
            return value;
        for (const auto& [rail, values] : m_rails)
            value.rails_mj.values[rail] = values.median().energy_mj;
        if (const auto sum = totalOf(value.rails_mj); sum && sum->value > 0.0) {
            for (auto& rail : value.rails_mj.values) {
                if (rail)
                    rail = *rail * (*whole.energy_mj / *sum);
            }
        }
        return value;
    }

    void fillRun(Run& run, const Sums& sums) const
    {
        const Tally& whole = sums.at({});
        run.info = m_run.info;
        run.info.output_tokens = m_first->sequences;
        RunTrace& trace = run.trace;
        trace.time = {0, whole.duration_ns};
        TokenSpan token;
        token.index = kTypicalIndex;
        token.sequences = m_first->sequences;
        token.position = m_first->position;
        token.id = m_first->id;
        token.phase = m_first->phase;
        token.time = trace.time;
        token.energy = energyOf(whole);
        trace.phases.push_back({Phase::Decode, trace.time, token.energy});
        Nanoseconds at = 0;
        for (const auto& [key, cost] : sums) {
            if (!key.section || key.layer)
                continue;
            trace.sections.push_back({.phase = Phase::Decode,
                                      .section = *key.section,
                                      .token = kTypicalIndex,
                                      .time = {at, at + cost.duration_ns},
                                      .energy = valueOf(cost)});
            at += cost.duration_ns;
        }
        trace.tokens.push_back(token);
        run.metrics = computeMetrics(trace, 0, token.energy);
        run.metrics.time_to_first_token_ns.reset();
        if (whole.duration_ns > 0)
            run.metrics.tokens_per_second = token.sequences / toSeconds(whole.duration_ns);
    }

    void fillParts(RunBreakdown& parts, const Sums& sums) const
    {
        SumsByKey<RunBreakdown::OfTokenComponent> components;
        for (const auto& [key, sum] : sums) {
            if (key.isLayer()) {
                parts.layers.push_back({Phase::Decode, *key.layer, sum});
                parts.token_layers.push_back({kTypicalIndex, *key.layer, sum});
            } else if (key.isComponent()) {
                parts.components.push_back({Phase::Decode, *key.layer, *key.component, sum});
                components.add({kTypicalIndex, *key.component, sum});
            } else if (key.operation) {
                parts.operations.push_back(
                    {Phase::Decode, *key.layer, *key.component, *key.operation, sum});
            }
        }
        parts.token_components = components.list();
        parts.extras = m_extras.list();
    }

    const Run& m_run;
    std::map<std::int32_t, std::vector<const SectionSpan*>> m_sectionsOf;
    const TokenSpan* m_first = nullptr;
    std::map<std::size_t, NodeValues> m_rails;
    Values m_values;
    Values m_rests; // of nodes, outside their parts
    SumsByKey<RunBreakdown::OfExtras> m_extras;
    TotalsBuilder m_totals;
};

} // namespace

Result<Excerpt> typicalToken(const Run& run, const Ledger::ReadSteps& steps)
{
    const std::vector<TokenSpan>& tokens = run.trace.tokens;
    const std::vector<std::size_t> typical = typicalTokens(tokens);
    if (typical.empty())
        return Error{ErrorCode::NotFound, "This run decoded no token, so that none is typical."};
    TypicalBuilder builder(run);
    for (std::size_t i = 0; i < typical.size();) {
        const std::int32_t first = tokens[typical[i]].index;
        const Result<const RunTrace*> read = steps({first, first + kTypicalAtOnce});
        if (!read)
            return read.error();
        for (; i < typical.size() && tokens[typical[i]].index < first + kTypicalAtOnce; ++i)
            builder.add(tokens[typical[i]], **read);
    }
    return builder.finish();
}

Result<Excerpt> typicalToken(const Run& run)
{
    return typicalToken(run, [&](TokenRange) { return Result<const RunTrace*>(&run.trace); });
}

} // namespace ep::energy
