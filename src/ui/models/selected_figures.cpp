// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/selected_figures.h"

#include "text.h"

#include "ep/core/format.h"
#include "ep/core/known_energy.h"
#include "ep/core/metrics.h"
#include "ep/core/stated_deviation.h"
#include "ep/core/stated_tokens.h"
#include "ep/energy/baseline.h"

namespace ep::ui {

namespace {

int tokensIn(const Run& run, const std::optional<viz::TokenRange>& range, bool all)
{
    int tokens = 0;
    for (const TokenSpan& token : run.trace.tokens) {
        if (all || (range && range->contains(token.index)))
            tokens += token.sequences;
    }
    return tokens;
}

void addSpeed(const RunMetrics& metrics, ChartDetails& figures)
{
    figures.rows.emplace_back(translated("Tokens per second"),
                              numberText(metrics.tokens_per_second));
    figures.rows.emplace_back(translated("First token"),
                              durationText(metrics.time_to_first_token_ns));
}

void addRailsAndCost(const SelectedEnergy& energy, const energy::Tariff& tariff,
                     ChartDetails& figures)
{
    for (const Rail rail : kRails) {
        if (const auto& ofRail = energy.rails_mj[rail])
            figures.rows.emplace_back(toQString(name(rail)).toUpper(), energyText(ofRail));
    }
    if (const auto& known = energy.sum.energy_mj) {
        figures.rows.emplace_back(translated("Cost"),
                                  toQString(formatMoney(energy::costUsd(*known, tariff))));
        figures.rows.emplace_back(translated("CO₂"),
                                  toQString(formatMass(energy::emittedGrams(*known, tariff))));
    }
}

} // namespace

RunEnergy runEnergyOf(const RunPtr& run)
{
    return {powerHistoryOf(run->trace.samples), std::make_shared<const energy::Ledger>(run)};
}

std::optional<SelectedEnergy> selectedEnergy(const Run& run, const viz::Selection& selection,
                                             const energy::Excerpt* excerpt,
                                             const RunBreakdown* whole)
{
    if (selection.time && !excerpt)
        return std::nullopt;
    if (selection.layer || selection.component || selection.operation) {
        const RunBreakdown* parts = excerpt ? &excerpt->parts : whole;
        if (!parts)
            return std::nullopt;
        return SelectedEnergy{.sum = energy::tallyOf(*parts,
                                                     {.layer = selection.layer,
                                                      .component = selection.component,
                                                      .operation = selection.operation})};
    }
    if (excerpt)
        return SelectedEnergy{excerpt->sum, excerpt->run.metrics.energy.rails_mj};
    return SelectedEnergy{knownEnergy(run), run.metrics.energy.rails_mj};
}

std::optional<RunMetrics> metricsOfPart(const SelectionController& chosen,
                                        const std::optional<SelectedEnergy>& energy)
{
    const viz::Selection& selection = chosen.selection();
    if (!chosen.run() || !(selection.layer || selection.component || selection.operation))
        return std::nullopt;
    RunMetrics metrics;
    if (!energy)
        return metrics;
    const Tally& sum = energy->sum;
    metrics.duration_ns = sum.duration_ns;
    // There is no "≥" here: an incompletely covered part is a dash.
    if (!sum.energy_mj || sum.partial())
        return metrics;
    metrics.energy.total_mj = sum.energy_mj;
    metrics.energy.provenance = sum.provenance;
    metrics.energy.sd_mj = sum.sd_mj;
    const int tokens = tokensIn(*chosen.run(), selection.tokens, !selection.time);
    metrics.joules_per_token = joulesPer(sum.energy_mj, tokens);
    return metrics;
}

ChartDetails figuresOf(const SelectionController& chosen,
                       const std::optional<SelectedEnergy>& energy, const PowerHistory* history,
                       const energy::Tariff& tariff, const ShownAggregate& aggregate)
{
    ChartDetails figures;
    const RunPtr& run = chosen.run();
    if (!run)
        return figures;
    const viz::Selection& selection = chosen.selection();
    const bool whole = !selection.time;
    const bool part = selection.layer || selection.component || selection.operation;
    const bool aggregated = whole && aggregate.excerpt;
    const Run& shown = aggregated ? aggregate.excerpt->run : *run;
    const TimeRange time = chosen.consideredTime();
    figures.title = selection.empty() ? translated("The whole run") : selectionText(selection);
    if (selection.layer && !selection.component && whole)
        figures.title = translated("%1 of the whole run").arg(figures.title);
    if (aggregated)
        figures.title = part ? aggregate.title + QStringLiteral(": ") + selectionText(selection)
                             : aggregate.title;
    const auto add = [&](const QString& name, const QString& value,
                         const QString& explanation = {}) {
        figures.rows.emplace_back(name, value, explanation);
    };
    if (!part && !aggregated && time.begin_ns > run->trace.time.begin_ns)
        add(translated("From"), durationText(time.begin_ns - run->trace.time.begin_ns));
    if (!energy) {
        add(translated("Energy"), translated("computing…"));
        return figures;
    }
    const Tally& sum = energy->sum;
    add(translated("Time"), durationText(sum.duration_ns));
    const int tokens =
        aggregated ? shown.info.output_tokens : tokensIn(*run, selection.tokens, whole);
    // Tokens that arrived without times are only known for the whole run.
    const bool untimed = run->trace.tokens.empty() && !aggregated;
    add(translated("Tokens"),
        !untimed    ? QString::number(tokens)
            : whole ? toQString(tokensText(outputTokens(run->info)))
                    : QString::fromUtf8(kMissingText));
    const QString atLeast = sum.partial() ? QStringLiteral("≥ ") : QString();
    add(translated("Energy"), atLeast + energyText(sum.energy_mj));
    if (sum.energy_mj) {
        const Millijoules known = *sum.energy_mj;
        if (sum.partial())
            add(translated("Not covered by samples"), durationText(sum.uncovered_ns()));
        if (const auto stated = statedDeviation(sum.sd_mj, sum.provenance))
            add(translated("Uncertainty"), intervalText(*stated), intervalExplanation());
        if (const auto net =
                energy::netEnergy(known, sum.energy_duration_ns, run->info.power.baseline))
            add(translated("Net energy"), energyText(net));
        if (tokens > 0)
            add(translated("Energy per output token"),
                atLeast + energyPerTokenText(joulesPer(known, tokens)));
        const auto& all = shown.metrics.energy.total_mj;
        if (!selection.empty() && all && all->value > 0.0)
            add(aggregated ? translated("Share") : translated("Share of the run"),
                toQString(formatPercent(known / *all)));
        if (sum.energy_duration_ns > 0)
            add(translated("Mean power"), powerText(meanPower(known, sum.energy_duration_ns)));
    }
    if (history && !part && !aggregated) {
        const TimeRange inRun = intersection(time, run->trace.time);
        const viz::SeriesSummary power = history->of(Channel::Total).summary(inRun);
        const auto mean = sum.energy_mj && sum.energy_duration_ns > 0
            ? std::optional(meanPower(*sum.energy_mj, sum.energy_duration_ns))
            : std::nullopt;
        add(translated("Peak power"),
            power.empty() ? missingText() : powerText(*peakPower(Milliwatts{power.max}, mean)));
    }
    if (selection.empty())
        addSpeed(shown.metrics, figures);
    addRailsAndCost(*energy, tariff, figures);
    add(translated("Provenance"), energyLabel(run->info.power.source, sum.provenance));
    return figures;
}

} // namespace ep::ui
