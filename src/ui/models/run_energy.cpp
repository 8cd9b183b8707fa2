// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run_energy.h"

#include "text.h"

#include "ep/core/format.h"
#include "ep/energy/baseline.h"

#include <QCoreApplication>

namespace ep::ui {

namespace {

QString trDetails(const char* text)
{
    return QCoreApplication::translate("ep::ui::DetailsPane", text);
}

int tokensIn(const Run& run, const std::optional<viz::TokenRange>& range, bool all)
{
    int tokens = 0;
    for (const TokenSpan& token : run.trace.tokens) {
        if (all || (range && range->contains(token.index)))
            tokens += token.sequences;
    }
    return tokens;
}

} // namespace

RunEnergy runEnergyOf(const Run& run)
{
    return {powerHistoryOf(run.trace.samples),
            std::make_shared<const energy::EnergyTimeline>(run.trace.samples)};
}

ChartDetails figuresOf(const SelectionController& chosen, const RunEnergy* energy,
                       const energy::Tariff& tariff)
{
    ChartDetails figures;
    const RunPtr& run = chosen.run();
    if (!run)
        return figures;
    const viz::Selection& selection = chosen.selection();
    const bool whole = !selection.time;
    const TimeRange time = chosen.consideredTime();
    // The figures are of a time; a layer or component that is chosen has its own in the charts.
    figures.title =
        whole ? trDetails("The whole run") : toQString(viz::describe(selection.withoutPart()));
    if (selection.layer || selection.component)
        figures.title = trDetails("%1, all layers").arg(figures.title);
    const auto add = [&](const QString& name, const QString& value,
                         const QString& explanation = {}) {
        figures.rows.emplace_back(name, value, explanation);
    };
    add(trDetails("From"), durationText(time.begin_ns - run->trace.time.begin_ns));
    add(trDetails("Time"), durationText(time.duration_ns()));
    const int tokens = tokensIn(*run, selection.tokens, whole);
    add(trDetails("Tokens"), QString::number(tokens));
    if (!energy) {
        add(trDetails("Energy"), trDetails("being added up…"));
        return figures;
    }
    // The run's own figure for all of it, so that every place shows the same.
    const EnergyValue value = whole ? run->metrics.energy : energy->timeline->over(time);
    add(trDetails("Energy"), energyText(value.total_mj));
    if (value.total_mj) {
        if (value.sd_mj)
            add(trDetails("Uncertainty"), intervalText(*value.sd_mj), intervalExplanation());
        if (const auto net =
                energy::netEnergy(value.total_mj, time.duration_ns(), run->info.power.baseline))
            add(trDetails("Net of idle"), energyText(net));
        if (tokens > 0)
            add(trDetails("Energy per token"),
                energyPerTokenText(value.total_mj->value * 1e-3 / tokens));
        const auto& all = run->metrics.energy.total_mj;
        if (!whole && all && all->value > 0.0)
            add(trDetails("Share of the run"),
                toQString(formatPercent(value.total_mj->value / all->value)));
        if (!time.empty())
            add(trDetails("Mean power"),
                powerText(Milliwatts{value.total_mj->value / toSeconds(time.duration_ns())}));
    }
    const viz::SeriesSummary power = energy->history->of(Channel::Total).summary(time);
    add(trDetails("Peak power"), power.empty() ? missingText() : powerText(Milliwatts{power.max}));
    for (const Rail rail : {Rail::Cpu, Rail::Gpu, Rail::Ane, Rail::Dram, Rail::System}) {
        if (const auto& part = value.rails_mj[rail])
            add(toQString(name(rail)).toUpper(), energyText(part));
    }
    if (value.total_mj) {
        add(trDetails("Cost"), costText(energy::costUsd(*value.total_mj, tariff)));
        add(trDetails("CO₂"),
            toQString(formatSignificant(energy::emittedGrams(*value.total_mj, tariff)))
                + QStringLiteral(" g"));
    }
    add(trDetails("Provenance"),
        provenanceLabel(value.total_mj ? value.provenance : Provenance::Missing));
    return figures;
}

} // namespace ep::ui
