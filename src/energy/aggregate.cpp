// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/aggregate.h"

#include "ep/core/disturbed_tokens.h"
#include "ep/core/format.h"
#include "ep/core/known_energy.h"
#include "ep/core/metrics.h"
#include "ep/core/quantile.h"
#include "ep/core/run_figure.h"
#include "ep/core/run_tree.h"
#include "ep/core/trace_lookup.h"
#include "ep/energy/statistics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace ep::energy {
namespace {

constexpr std::int32_t kTypicalAtOnce = 32; // tokens
constexpr std::int32_t kTypicalIndex = 1; // index of the token in the result, a decoded one

// The energies of one node, one for each token. Stores floats, because there may be millions.
class TokenTallies {
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

    // Returns the medians as a single span. Its energy is known if the energy of most tokens is.
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
using Values = std::map<NodeKey, TokenTallies>;

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
        for (const Span& section : run.trace.sections)
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
        const auto tally = [&](const Span& span) { return tallyOf(span, token.energy.provenance); };
        for (const Span* section : m_sectionsOf[token.index])
            sums[{section->section}].add(tallyOf(*section));
        const auto layers = layersOf(steps, token.index);
        for (const Span& span : layers)
            sums[NodeKey::ofLayer(span.layer)].add(tally(span));
        for (const Span& span : componentsOf(steps, token.index)) {
            NodeKey key = NodeKey::ofLayer(span.layer);
            if (layers.empty())
                sums[key].add(tally(span));
            key.component = span.component;
            sums[key].add(tally(span));
            m_components.add(span, token.energy.provenance);
        }
        for (const Span& span : operationsOf(steps, token.index)) {
            sums[{Section::Layers, span.layer, span.component, span.operation}].add(tally(span));
            m_components.add(span, token.energy.provenance);
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
        result.totals = m_components.totals();
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
    // Adds the rest that a node with parts needs outside of them; tokens and layers need it even
    // without parts.
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
            trace.sections.push_back(Span::ofSection(Phase::Decode, *key.section, kTypicalIndex,
                                                     {at, at + cost.duration_ns}, valueOf(cost)));
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
        parts.extras = m_components.extras();
    }

    const Run& m_run;
    std::map<std::int32_t, std::vector<const Span*>> m_sectionsOf;
    const TokenSpan* m_first = nullptr;
    std::map<std::size_t, TokenTallies> m_rails;
    Values m_values;
    Values m_rests; // of nodes, outside their parts
    CellSums m_components;
};

} // namespace

// own: the runs' own deviations, which contain common errors as well as random ones.
std::optional<Millijoules> deviationOfMean(std::span<const double> energies,
                                           std::span<const double> own)
{
    const auto interval = studentInterval(energies);
    if (!interval)
        return std::nullopt;
    const double scatter = (interval->high - interval->low) / 2.0 / kHalfInterval95;
    if (own.size() < energies.size()) // common errors are unknown without all deviations
        return Millijoules{scatter};
    const double middle = meanOf(energies);
    double squares = 0.0;
    double stated = 0.0;
    for (std::size_t i = 0; i < energies.size(); ++i) {
        squares += (energies[i] - middle) * (energies[i] - middle);
        stated += own[i] * own[i];
    }
    const auto count = static_cast<double>(energies.size());
    const double common = std::max(0.0, stated / count - squares / (count - 1.0));
    return Millijoules{std::sqrt(scatter * scatter + common)};
}

namespace {

// The mean of one node over the repeats that have it.
class NodeMean {
public:
    void add(const Tally& own)
    {
        ++m_repeats;
        m_duration += static_cast<double>(own.duration_ns);
        m_spans += static_cast<double>(own.spans);
        const auto energy = own.complete();
        if (!energy)
            return;
        m_energies.push_back(energy->value);
        if (own.sd_mj)
            m_deviations.push_back(own.sd_mj->value);
        m_provenance = std::max(m_provenance, own.provenance);
    }

    Tally mean() const
    {
        Tally result;
        if (m_repeats == 0)
            return result;
        result.duration_ns = std::llround(m_duration / m_repeats);
        result.spans = std::llround(m_spans / m_repeats);
        if (m_energies.empty())
            return result;
        result.energy_mj = Millijoules{meanOf(m_energies)};
        result.sd_mj = deviationOfMean(m_energies, m_deviations);
        result.energy_spans = result.spans;
        result.energy_duration_ns = result.duration_ns;
        result.provenance = m_provenance;
        return result;
    }

private:
    int m_repeats = 0;
    double m_duration = 0.0;
    double m_spans = 0.0;
    std::vector<double> m_energies; // from the repeats in which the node's energy is complete
    std::vector<double> m_deviations;
    Provenance m_provenance = Provenance::Measured;
};

// Averages the lists of the repeats node by node; names and ends come from the first repeat.
template <typename ListOf>
auto meanList(std::span<const Excerpt> repeats, ListOf listOf)
{
    using Of = typename std::decay_t<decltype(listOf(repeats.front()))>::value_type;
    std::map<decltype(keyOf(Of())), std::pair<Of, NodeMean>> nodes;
    for (auto repeat = repeats.rbegin(); repeat != repeats.rend(); ++repeat) {
        for (const Of& of : listOf(*repeat)) {
            auto& node = nodes[keyOf(of)];
            node.first = of;
            node.second.add(of.sum);
        }
    }
    std::vector<Of> means;
    for (auto& [key, node] : nodes) {
        node.first.sum = node.second.mean();
        means.push_back(node.first);
    }
    return means;
}

RunBreakdown meanParts(std::span<const Excerpt> repeats)
{
    const auto mean = [&](auto list) {
        return meanList(
            repeats, [list](const Excerpt& repeat) -> const auto& { return repeat.parts.*list; });
    };
    SumsByKey<RunBreakdown::OfExtras> extras;
    for (const Excerpt& repeat : repeats)
        std::ranges::for_each(repeat.parts.extras, [&](const auto& of) { extras.add(of); });
    return {.layers = mean(&RunBreakdown::layers),
            .components = mean(&RunBreakdown::components),
            .operations = mean(&RunBreakdown::operations),
            .extras = extras.list(),
            .token_layers = mean(&RunBreakdown::token_layers),
            .token_components = mean(&RunBreakdown::token_components)};
}

void meanTrace(std::span<const Excerpt> repeats, RunTrace& trace, Nanoseconds duration)
{
    struct Means {
        NodeMean phase;
        std::map<Section, NodeMean> sections;
    };
    std::vector<std::pair<Phase, Means>> phases; // in the order in which they first occur
    for (const Excerpt& repeat : repeats) {
        for (const PhaseSum& own : sumsOfPhases(repeat.run.trace)) {
            auto found = std::ranges::find(phases, own.phase, &std::pair<Phase, Means>::first);
            if (found == phases.end())
                found = phases.insert(found, {own.phase, {}});
            found->second.phase.add(own.sum);
            for (const SectionSum& of : own.sections)
                found->second.sections[of.section].add(of.sum);
        }
    }
    trace.time = {0, duration};
    Nanoseconds at = 0;
    for (const auto& [phase, means] : phases) {
        const Tally mean = means.phase.mean();
        trace.phases.push_back({phase, {at, at + mean.duration_ns}, valueOf(mean)});
        Nanoseconds inside = at;
        for (const auto& [section, values] : means.sections) {
            const Tally part = values.mean();
            trace.sections.push_back(Span::ofSection(
                phase, section, kNoToken, {inside, inside + part.duration_ns}, valueOf(part)));
            inside += part.duration_ns;
        }
        at += mean.duration_ns;
    }
}

// Averages a figure over the repeats that have it.
template <typename Value>
void meanFigure(std::span<const Excerpt> repeats, RunMetrics& into,
                std::optional<Value> RunMetrics::*figure)
{
    double sum = 0.0;
    int count = 0;
    for (const Excerpt& repeat : repeats) {
        const auto& own = repeat.run.metrics.*figure;
        if (!own)
            continue;
        ++count;
        if constexpr (std::is_arithmetic_v<Value>)
            sum += static_cast<double>(*own);
        else
            sum += own->value;
    }
    if (count == 0)
        return;
    const double mean = sum / count;
    if constexpr (std::is_integral_v<Value>)
        into.*figure = std::llround(mean);
    else
        into.*figure = Value{mean};
}

// A quotient is formed from the sums, so that it agrees with the other figures: each repeat is
// weighted by its divisor.
template <typename Divisor>
void ratioFigure(std::span<const Excerpt> repeats, RunMetrics& into,
                 std::optional<double> RunMetrics::*figure, Divisor divisor)
{
    (into.*figure).reset();
    double above = 0.0;
    double below = 0.0;
    for (const Excerpt& repeat : repeats) {
        const auto& own = repeat.run.metrics.*figure;
        const std::optional<double> by = divisor(repeat.run);
        if (!own || !by)
            continue;
        above += *own * *by;
        below += *by;
    }
    if (below > 0.0)
        into.*figure = above / below;
}

RunMetrics meanMetrics(std::span<const Excerpt> repeats, const Tally& sum)
{
    RunMetrics metrics;
    metrics.duration_ns = sum.duration_ns;
    metrics.energy = valueOf(sum);
    for (std::size_t rail = 0; rail < kRailCount; ++rail) {
        std::vector<double> energies;
        for (const Excerpt& repeat : repeats) {
            if (const auto& own = repeat.run.metrics.energy.rails_mj.values[rail])
                energies.push_back(own->value);
        }
        if (!energies.empty())
            metrics.energy.rails_mj.values[rail] = Millijoules{meanOf(energies)};
    }
    // Takes the mean of each figure, unless another rule follows below.
    for (const RunFigureFacts& facts : kRunFigures) {
        std::visit(
            [&](const auto& source) {
                if constexpr (requires { meanFigure(repeats, metrics, source); })
                    meanFigure(repeats, metrics, source);
            },
            facts.source);
    }
    const auto energy = [](const Run& run) -> std::optional<double> {
        const auto& total = run.metrics.energy.total_mj;
        return total ? std::optional(total->value) : std::nullopt;
    };
    const auto outputTokens = [](const Run& run) {
        return std::optional(static_cast<double>(run.info.output_tokens));
    };
    ratioFigure(repeats, metrics, &RunMetrics::joules_per_token, outputTokens);
    ratioFigure(repeats, metrics, &RunMetrics::joules_per_output_token, outputTokens);
    ratioFigure(repeats, metrics, &RunMetrics::joules_per_input_token, [](const Run& run) {
        return std::optional(static_cast<double>(run.info.input_tokens));
    });
    ratioFigure(repeats, metrics, &RunMetrics::prefill_tokens_per_second, [](const Run& run) {
        const auto& rate = run.metrics.prefill_tokens_per_second;
        return rate && *rate > 0.0 ? std::optional(run.info.input_tokens / *rate) : std::nullopt;
    });
    ratioFigure(repeats, metrics, &RunMetrics::tokens_per_joule, energy);
    ratioFigure(repeats, metrics, &RunMetrics::tokens_per_second, [](const Run& run) {
        const auto& rate = run.metrics.tokens_per_second; // rate of the output tokens
        return rate && *rate > 0.0 ? std::optional(run.info.output_tokens / *rate) : std::nullopt;
    });
    const bool products = std::ranges::any_of(repeats, [](const Excerpt& repeat) {
        return repeat.run.metrics.edp_joule_seconds.has_value();
    });
    metrics.edp_joule_seconds.reset();
    if (products && sum.energy_mj)
        metrics.edp_joule_seconds =
            sum.energy_mj->value / kMillijoulesPerJoule * toSeconds(sum.duration_ns);
    if (metrics.mean_power_mw && sum.energy_mj && sum.duration_ns > 0)
        metrics.mean_power_mw = Milliwatts{sum.energy_mj->value / toSeconds(sum.duration_ns)};
    return metrics;
}

int meanCount(std::span<const Excerpt> repeats, int RunInfo::*count)
{
    double sum = 0.0;
    for (const Excerpt& repeat : repeats)
        sum += repeat.run.info.*count;
    return static_cast<int>(std::lround(sum / static_cast<double>(repeats.size())));
}

std::vector<ComponentTotal> meanTotals(std::span<const Excerpt> repeats)
{
    return meanList(
        repeats, [](const Excerpt& repeat) -> const auto& { return repeat.totals; });
}

} // namespace

Excerpt wholeOf(Run run, RunBreakdown parts, std::vector<ComponentTotal> totals)
{
    Excerpt whole;
    whole.sum = knownEnergy(run);
    whole.run = std::move(run);
    whole.parts = std::move(parts);
    whole.totals = std::move(totals);
    return whole;
}

Excerpt meanOfRepeats(std::span<const Excerpt> repeats)
{
    Excerpt result;
    if (repeats.empty())
        return result;
    NodeMean sum;
    for (const Excerpt& repeat : repeats)
        sum.add(repeat.sum);
    result.sum = sum.mean();
    result.run.info = repeats.front().run.info;
    result.run.info.input_tokens = meanCount(repeats, &RunInfo::input_tokens);
    result.run.info.output_tokens = meanCount(repeats, &RunInfo::output_tokens);
    meanTrace(repeats, result.run.trace, result.sum.duration_ns);
    result.run.metrics = meanMetrics(repeats, result.sum);
    result.parts = meanParts(repeats);
    result.totals = meanTotals(repeats);
    return result;
}

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
