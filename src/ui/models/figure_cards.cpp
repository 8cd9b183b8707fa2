// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/figure_cards.h"

#include "text.h"

#include "ep/core/format.h"
#include "ep/core/known_energy.h"
#include "ep/core/run_figure.h"
#include "ep/core/stated_deviation.h"
#include "ep/core/token_ledger.h"
#include "ep/core/trace_lookup.h"
#include "ep/ui/terms.h"
#include "ep/ui/theme.h"
#include "ep/viz/metric.h"

#include <QLocale>

#include <algorithm>
#include <array>
#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

QString percent(std::optional<double> share)
{
    return share ? toQString(formatPercent(*share)) : missingText();
}

QString provenanceNote(const Run& run)
{
    return explainedEnergyLabel(run.info.power.source, knownEnergy(run).provenance);
}

// Sum of some components in the tree, over all phases and layers.
template <typename Wanted>
Tally sumOf(const viz::CostTree& tree, const Wanted& wanted)
{
    Tally sum;
    for (const viz::CostTree::Node& node : tree.nodes) {
        if (node.key.operation || node.key.rest || !wanted(node.key))
            continue;
        sum.add(node.cost);
    }
    return sum;
}

std::optional<double> shareOf(std::optional<Millijoules> part, std::optional<Millijoules> whole)
{
    if (!part || !whole || whole->value <= 0.0)
        return std::nullopt;
    return *part / *whole;
}

QString sumText(const Tally& sum)
{
    if (sum.spans == 0)
        return missingText();
    return durationText(sum.duration_ns) + u", "_s + (sum.partial() ? u"≥ "_s : QString())
        + energyText(sum.energy_mj);
}

// Figures that few users quote; three per token are enough at first sight.
constexpr std::array kFurtherFigures{RunFigure::JoulesPerTypicalToken,
                                     RunFigure::JoulesPerInputToken,
                                     RunFigure::NetEnergy,
                                     RunFigure::NetJoulesPerToken,
                                     RunFigure::EnergyDelayProduct,
                                     RunFigure::EnergyPerMillionParameters,
                                     RunFigure::TokensPerJoule};

// The title is the fact with the name of the card.
FigureCard factCard(const Run& run, const QString& id, energy::FactPlace rows,
                    energy::FactPlace below)
{
    const energy::FactSubject subject{run.info, run.metrics};
    FigureCard card{id, factText(energy::factOf(subject, id.toStdString())), {}, {}};
    for (const energy::Fact& fact : energy::factsOf(subject, rows)) {
        card.rows.push_back(
            {u"%1_%2"_s.arg(id).arg(card.rows.size()), term(fact.term), factText(fact), {}});
    }
    QStringList notes;
    for (const energy::Fact& fact : energy::factsOf(subject, below))
        notes << factText(fact);
    card.note = notes.join(u'\n');
    return card;
}

// further: the figures in kFurtherFigures; otherwise all others.
std::vector<FigureCard::Row> figureRows(const Run& run, bool further)
{
    const RunMetrics& metrics = run.metrics;
    std::vector<FigureCard::Row> rows;
    for (const RunFigureFacts& facts : kRunFigures) {
        if ((std::ranges::find(kFurtherFigures, facts.figure) != kFurtherFigures.end()) != further)
            continue;
        const auto value = valueOf(facts.figure, run.info, metrics);
        QString text = toQString(formatFigure(facts.figure, value));
        if (facts.figure == RunFigure::Energy && !value)
            text = toQString(formatEnergy(knownEnergy(run)));
        QString explanation = term(facts.explanation);
        const auto stated = statedDeviation(metrics.energy.sd_mj, metrics.energy.provenance);
        if (facts.figure == RunFigure::Energy && value && stated) {
            text += u' ' + intervalText(*stated);
            explanation += u". "_s + intervalExplanation();
        }
        rows.push_back({toQString(facts.id), term(facts.title), text, explanation});
    }
    return rows;
}

} // namespace

FigureCard efficiencyCard(const Run& run)
{
    return {u"efficiency"_s, translated("Efficiency"), provenanceNote(run), figureRows(run, false)};
}

FigureCard furtherFiguresCard(const Run& run)
{
    const RunMetrics& metrics = run.metrics;
    FigureCard card{u"furtherFigures"_s, {}, {}, figureRows(run, true)};
    const auto& baseline = run.info.power.baseline;
    const auto idle = staticEnergy(metrics.duration_ns, baseline);
    card.rows.push_back(
        {u"static"_s, translated("Idle share"), percent(shareOf(idle, metrics.energy.total_mj)),
         translated("Energy that the idle machine would have used in the same time")});
    if (const auto used = energy::utilisation(RunSummary{run.info, metrics}))
        card.rows.push_back(
            {u"utilisation"_s, translated("Share of rated power"), percent(used), {}});
    return card;
}

FigureCard costCard(const Run& run, const energy::Tariff& tariff)
{
    const auto& total = run.metrics.energy.total_mj;
    FigureCard card{
        u"cost"_s,
        translated("Cost and carbon"),
        translated("%1 USD/kWh, %2 g CO₂/kWh; %3")
            .arg(QLocale().toString(tariff.usd_per_kwh))
            .arg(QLocale().toString(tariff.grams_per_kwh))
            .arg(energyLabel(run.info.power.source,
                             total ? run.metrics.energy.provenance : Provenance::Missing)),
        {}};
    const auto usd = [&](std::optional<Millijoules> energy) {
        return energy ? toQString(formatMoney(energy::costUsd(*energy, tariff))) : missingText();
    };
    const auto grams = [&](std::optional<Millijoules> energy) {
        return energy ? toQString(formatMass(energy::emittedGrams(*energy, tariff)))
                      : missingText();
    };
    std::optional<Millijoules> perMillion;
    if (total && run.info.output_tokens > 0)
        perMillion = *total * (1e6 / run.info.output_tokens);
    card.rows = {{u"usd"_s, translated("This run"), usd(total), {}},
                 {u"usdMillion"_s, translated("Per million tokens at this rate"), usd(perMillion),
                  translated("Energy of the run / output tokens × 1,000,000")},
                 {u"co2"_s, translated("CO₂ of this run"), grams(total), {}},
                 {u"co2Million"_s, translated("CO₂ per million tokens"), grams(perMillion), {}}};
    if (run.info.power.battery_mj)
        card.rows.push_back({u"battery"_s,
                             translated("Share of a full battery"),
                             percent(energy::batteryShare(total, run.info.power.battery_mj)),
                             {}});
    const auto answers = energy::answersPerCharge(RunSummary{run.info, run.metrics});
    const auto count = [](std::optional<double> number) {
        return number ? toQString(formatSignificant(*number)) : missingText();
    };
    const QString how =
        translated("Capacity of the full battery / energy of the whole machine for an answer like "
                   "this one, with the idle power in the pauses");
    const QString tip = answers.reason.empty() ? how : term(answers.reason);
    card.rows.push_back({u"answersInARow"_s, translated("Answers per charge, in a row"),
                         count(answers.in_a_row), tip});
    card.rows.push_back({u"answersSpaced"_s,
                         translated("Answers per charge, one every three minutes"),
                         count(answers.every_three_minutes), tip});
    return card;
}

FigureCard kvCacheCard(const Run& run, const viz::CostTree& tree)
{
    const ModelFacts& model = run.info.model;
    const bool known = model.kv_bytes_per_token > 0;
    // The last token was sampled, but never went through the layers.
    const auto kept = [](std::int64_t in, std::int64_t out) {
        return in + std::max<std::int64_t>(0, out - 1);
    };
    std::int64_t positions = 0;
    if (run.info.batch.empty()) {
        positions = kept(run.info.input_tokens, run.info.output_tokens);
    } else {
        for (const BatchSequence& sequence : run.info.batch)
            positions += kept(sequence.input_tokens, sequence.output_tokens);
    }
    const std::int64_t bytes = model.kv_bytes_per_token * positions;
    const Tally cost = sumOf(tree, [](const viz::CostKey& key) {
        if (key.component)
            return key.component == Component::KvCache;
        return key.section && partOf(*key.section) == RunPart::KvCache;
    });
    FigureCard card{u"kvCache"_s,
                    translated("KV cache"),
                    translated("Sizes computed from the model's dimensions"),
                    {}};
    std::optional<double> ofWeights;
    if (known && model.weight_bytes > 0)
        ofWeights = static_cast<double>(bytes) / static_cast<double>(model.weight_bytes);
    QString ofContext = missingText();
    if (model.context_length > 0 && run.info.batch.empty())
        ofContext = translated("%1 of %2 tokens (%3)")
                        .arg(positions)
                        .arg(model.context_length)
                        .arg(percent(static_cast<double>(positions) / model.context_length));
    card.rows = {{u"kvToken"_s, translated("Per token"),
                  known ? toQString(formatBytes(model.kv_bytes_per_token)) : missingText(),
                  translated("Keys and values of all layers")},
                 {u"kvEnd"_s, translated("At the end of the run"),
                  known ? toQString(formatBytes(bytes)) : missingText(),
                  translated("%1 positions").arg(positions)},
                 {u"kvWeights"_s, translated("Compared with the weights"), percent(ofWeights), {}},
                 {u"kvContext"_s, translated("Context used"), ofContext, {}},
                 {u"kvCost"_s, translated("Time and energy to write it"), sumText(cost),
                  translated("Sections and components that write the cache; energy %1")
                      .arg(energyLabel(run.info.power.source, cost.provenance))},
                 {u"kvShare"_s,
                  translated("Share of the run's energy"),
                  percent(shareOf(cost.energy_mj, run.metrics.energy.total_mj)),
                  {}}};
    return card;
}

FigureCard expertsCard(const Run& run, const viz::CostTree& tree)
{
    const ModelFacts& model = run.info.model;
    FigureCard card{u"experts"_s,
                    translated("Experts"),
                    translated("The experts chosen for a token are not recorded."),
                    {}};
    if (model.experts <= 0)
        return card;
    const auto of = [&](Component component) {
        return sumOf(tree,
                     [component](const viz::CostKey& key) { return key.component == component; });
    };
    const Tally router = of(Component::Router);
    const Tally experts = of(Component::Experts);
    card.rows = {
        {u"expertCount"_s,
         translated("Experts per token"),
         translated("%1 of %2 in each layer").arg(model.experts_per_token).arg(model.experts),
         {}},
        {u"expertParameters"_s,
         translated("Parameters per token"),
         translated("%1 of %2")
             .arg(toQString(formatCount(model.active_parameters)),
                  toQString(formatCount(model.parameters))),
         {}},
        {u"expertRouter"_s, translated("Routers"), sumText(router), {}},
        {u"expertExperts"_s, translated("Experts"), sumText(experts), {}},
        {u"expertShare"_s,
         translated("Experts' share of the energy"),
         percent(shareOf(experts.energy_mj, run.metrics.energy.total_mj)),
         {}}};
    return card;
}

FigureCard qualityCard(const std::vector<QualityRecord>& measured)
{
    FigureCard card{
        u"quality"_s,
        translated("Quality of the model"),
        translated("Measured with this model and number format, without energy; a lower "
                   "perplexity is better."),
        {}};
    for (std::size_t i = 0; i < measured.size(); ++i) {
        const QualityRecord& record = measured[i];
        const QString suffix = QString::number(i);
        const QString how = translated("%1 tokens scored, context %2, stride %3; %4")
                                .arg(record.scored)
                                .arg(record.context)
                                .arg(record.stride)
                                .arg(toQString(record.device));
        card.rows.push_back({u"perplexity"_s + suffix,
                             translated("Perplexity on %1").arg(toQString(record.text_name)),
                             toQString(formatPerplexity(record.perplexity)), how});
        if (record.kl)
            card.rows.push_back(
                {u"kl"_s + suffix, translated("KL divergence from f32"),
                 translated("%1 nats").arg(toQString(formatSignificant(*record.kl))),
                 translated("Mean over the scored tokens, against f32 of the same "
                            "weights")});
        if (record.top1)
            card.rows.push_back({u"top1_"_s + suffix, translated("Same most likely token as f32"),
                                 percent(record.top1), translated("Share of the scored tokens")});
    }
    return card;
}

FigureCard commandCard(const Run& run)
{
    return run.info.profiling.command
        ? factCard(run, u"command"_s, energy::kOnCommandCard, energy::kBelowCommandCard)
        : FigureCard();
}

FigureCard ledgerCard(const Run& run)
{
    FigureCard card;
    const TokenCounts counts = tokenCounts(run.info);
    if (!counts.any() || std::cmp_not_equal(outputTokens(run.trace.tokens), run.info.output_tokens))
        return card;
    card.id = u"ledger"_s;
    card.title = translated("Where the tokens came from");
    if (!counts.draft.empty())
        card.note = translated("Draft by %1").arg(toQString(counts.draft));
    for (const LedgerLine& line : ledgerLines(run.info, run.trace)) {
        const QString energy = toQString(formatEnergy(line.row.energy));
        card.rows.push_back(
            {u"ledger_"_s + QLatin1StringView(line.id), term(line.term),
             line.counted ? translated("%1 tokens, %2").arg(line.row.tokens).arg(energy) : energy,
             term(line.explanation)});
    }
    return card;
}

FigureCard serverCard(const Run& run)
{
    return run.info.profiling.server
        ? factCard(run, u"server"_s, energy::kOnServerCard, energy::kBelowServerCard)
        : FigureCard();
}

} // namespace ep::ui
