// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/disturbed_tokens.h"
#include "ep/core/metrics.h"
#include "ep/core/quantile.h"
#include "ep/core/trace_lookup.h"
#include "ep/energy/aggregate.h"

#include <algorithm>
#include <cmath>
#include <map>
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

using ComponentKey = std::pair<std::int32_t, Component>;
using OperationKey = std::tuple<std::int32_t, Component, Operation>;

template <typename Key>
using Sums = std::map<Key, Tally>;
template <typename Key>
using Values = std::map<Key, NodeValues>;

template <typename Key>
void addAll(Values<Key>& values, const Sums<Key>& sums)
{
    for (const auto& [key, sum] : sums)
        values[key].add(sum);
}

template <typename Key>
Sums<Key> mediansOf(const Values<Key>& values)
{
    Sums<Key> medians;
    for (const auto& [key, own] : values)
        medians[key] = own.median();
    return medians;
}

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
        if (m_tokens == 0)
            m_first = &token;
        ++m_tokens;
        const Tally whole = tallyOf(token.time, token.energy);
        m_whole.add(whole);
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
        Sums<Section> sections;
        for (const SectionSpan* section : m_sectionsOf[token.index])
            sections[section->section].add(tallyOf(section->time, section->energy));
        Sums<std::int32_t> layers;
        Sums<ComponentKey> components;
        Sums<OperationKey> operations;
        for (const LayerSpan& span : layersOf(steps, token.index))
            layers[span.layer].add(tally(span));
        const bool ownLayers = !layers.empty();
        for (const ComponentSpan& span : componentsOf(steps, token.index)) {
            components[{span.layer, span.component}].add(tally(span));
            if (!ownLayers)
                layers[span.layer].add(tally(span));
            m_totals.add(span, token.energy.provenance);
        }
        for (const OperationSpan& span : operationsOf(steps, token.index)) {
            operations[{span.layer, span.component, span.operation}].add(tally(span));
            if (span.extras)
                m_extras[{span.layer, span.component}].add(*span.extras);
        }
        addRests(whole, sections, layers, components, operations);
        addAll(m_sections, sections);
        addAll(m_layers, layers);
        addAll(m_components, components);
        addAll(m_operations, operations);
    }

    Excerpt finish() const
    {
        const Tally whole = m_whole.median();
        Sums<Section> sections = mediansOf(m_sections);
        Sums<std::int32_t> layers = mediansOf(m_layers);
        Sums<ComponentKey> components = mediansOf(m_components);
        Sums<OperationKey> operations = mediansOf(m_operations);
        fit(whole, all(sections), m_rest.median());
        if (const auto within = sections.find(Section::Layers); within != sections.end())
            fit(within->second, all(layers), m_layersRest.median());
        for (const auto& [layer, cost] : layers) {
            std::vector<Tally*> parts;
            for (auto& [key, part] : components) {
                if (key.first == layer)
                    parts.push_back(&part);
            }
            fit(cost, parts, restAt(m_layerRests, layer));
        }
        for (const auto& [key, cost] : components) {
            std::vector<Tally*> parts;
            for (auto& [own, part] : operations) {
                if (ComponentKey(std::get<0>(own), std::get<1>(own)) == key)
                    parts.push_back(&part);
            }
            fit(cost, parts, restAt(m_componentRests, key));
        }
        Excerpt result;
        result.sum = whole;
        fillRun(result.run, whole, sections);
        fillParts(result.parts, layers, components, operations);
        result.totals = m_totals.finish();
        for (ComponentTotal& total : result.totals) {
            total.sum = components.at({total.layer, total.component});
            if (total.work) {
                total.work->flops /= total.tokens;
                total.work->bytes /= total.tokens;
            }
        }
        return result;
    }

private:
    template <typename Key>
    static std::vector<Tally*> all(Sums<Key>& sums)
    {
        std::vector<Tally*> list;
        for (auto& [key, sum] : sums)
            list.push_back(&sum);
        return list;
    }

    template <typename Key>
    static Tally restAt(const Values<Key>& rests, const Key& key)
    {
        const auto found = rests.find(key);
        return found != rests.end() ? found->second.median() : Tally();
    }

    void addRests(const Tally& whole, const Sums<Section>& sections,
                  const Sums<std::int32_t>& layers, const Sums<ComponentKey>& components,
                  const Sums<OperationKey>& operations)
    {
        Tally inSections;
        for (const auto& [section, sum] : sections)
            inSections.add(sum);
        m_rest.add(restOf(whole, inSections));
        if (const auto within = sections.find(Section::Layers); within != sections.end()) {
            Tally inLayers;
            for (const auto& [layer, sum] : layers)
                inLayers.add(sum);
            m_layersRest.add(restOf(within->second, inLayers));
        }
        Sums<std::int32_t> inLayer;
        for (const auto& [key, sum] : components)
            inLayer[key.first].add(sum);
        for (const auto& [layer, sum] : inLayer)
            m_layerRests[layer].add(restOf(layers.at(layer), sum));
        Sums<ComponentKey> inComponent;
        for (const auto& [key, sum] : operations)
            inComponent[{std::get<0>(key), std::get<1>(key)}].add(sum);
        for (const auto& [key, sum] : inComponent) {
            if (const auto own = components.find(key); own != components.end())
                m_componentRests[key].add(restOf(own->second, sum));
        }
    }

    static EnergyValue valueOf(const Tally& cost)
    {
        EnergyValue value;
        value.total_mj = cost.energy_mj;
        value.sd_mj = cost.sd_mj;
        value.provenance = cost.energy_mj ? cost.provenance : Provenance::Missing;
        return value;
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

    void fillRun(Run& run, const Tally& whole, const Sums<Section>& sections) const
    {
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
        for (const auto& [section, cost] : sections) {
            trace.sections.push_back({.phase = Phase::Decode,
                                      .section = section,
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

    void fillParts(RunBreakdown& parts, const Sums<std::int32_t>& layers,
                   const Sums<ComponentKey>& components, const Sums<OperationKey>& operations) const
    {
        for (const auto& [layer, sum] : layers) {
            parts.layers.push_back({Phase::Decode, layer, sum});
            parts.token_layers.push_back({kTypicalIndex, layer, sum});
        }
        Sums<Component> kinds;
        for (const auto& [key, sum] : components) {
            parts.components.push_back({Phase::Decode, key.first, key.second, sum});
            kinds[key.second].add(sum);
        }
        for (const auto& [component, sum] : kinds)
            parts.token_components.push_back({kTypicalIndex, component, sum});
        for (const auto& [key, sum] : operations)
            parts.operations.push_back(
                {Phase::Decode, std::get<0>(key), std::get<1>(key), std::get<2>(key), sum});
        for (const auto& [key, sum] : m_extras)
            parts.extras.push_back({key.first, key.second, sum});
    }

    const Run& m_run;
    std::map<std::int32_t, std::vector<const SectionSpan*>> m_sectionsOf;
    const TokenSpan* m_first = nullptr;
    std::size_t m_tokens = 0;
    NodeValues m_whole;
    std::map<std::size_t, NodeValues> m_rails;
    Values<Section> m_sections;
    Values<std::int32_t> m_layers;
    Values<ComponentKey> m_components;
    Values<OperationKey> m_operations;
    NodeValues m_rest; // time of a token outside its sections
    NodeValues m_layersRest;
    Values<std::int32_t> m_layerRests;
    Values<ComponentKey> m_componentRests;
    std::map<ComponentKey, ExtrasSum> m_extras;
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
