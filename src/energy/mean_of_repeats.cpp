// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/format.h"
#include "ep/core/known_energy.h"
#include "ep/core/run_figure.h"
#include "ep/core/run_tree.h"
#include "ep/energy/aggregate.h"
#include "ep/energy/statistics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <type_traits>
#include <utility>
#include <variant>

namespace ep::energy {

// own: the runs' own deviations, which contain common errors as well as random ones.
std::optional<Millijoules> deviationOfMean(std::span<const double> energies,
                                           std::span<const double> own)
{
    const auto interval = studentInterval(energies);
    if (!interval)
        return std::nullopt;
    const double scatter = (interval->high - interval->low) / 2.0 / kHalfInterval95;
    if (own.size() < energies.size()) // common errors are unknown without all of them
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

// Averages the lists of the repeats node by node; names and ends are those of the first repeat.
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
            trace.sections.push_back({.phase = phase,
                                      .section = section,
                                      .time = {inside, inside + part.duration_ns},
                                      .energy = valueOf(part)});
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
        const auto& rate = run.metrics.tokens_per_second; // of the tokens
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

} // namespace ep::energy
