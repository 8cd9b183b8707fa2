// SPDX-License-Identifier: GPL-3.0-or-later
#include "diagnosis_text.h"
#include "report/report_words.h"
#include "report/reports.h"
#include "report/run_charts.h"
#include "report/why_section.h"
#include "text.h"

#include "ep/core/answer_sections.h"
#include "ep/core/clock.h"
#include "ep/core/format.h"
#include "ep/core/known_energy.h"
#include "ep/core/run_title.h"
#include "ep/core/utf8.h"
#include "ep/ui/terms.h"
#include "ep/ui/theme.h"
#include "ep/viz/metric.h"

#include <cmath>
#include <utility>

namespace ep::ui {

namespace {

using energy::Comparison;

constexpr std::size_t kTitlePreview = 60;
constexpr std::size_t kLongText = 4000;

void addText(HtmlPage& page, const RunInfo& info)
{
    page.subheading(said("Prompt"));
    page.paragraph(previewUtf8(info.prompt, kLongText));
    page.subheading(said("Response"));
    page.paragraph(info.response.empty() ? kMissingText : previewUtf8(info.response, kLongText));
    if (!info.notes.empty()) {
        page.subheading(said("Notes"));
        page.paragraph(info.notes);
    }
}

Rows phaseRows(const Run& run)
{
    Rows rows;
    for (const PhaseSpan& phase : run.trace.phases) {
        const Tally known = knownEnergy(run.trace, phase);
        const bool partial = known.partial();
        rows.push_back(
            {term(viz::title(phase.phase)).toStdString(), formatDuration(known.duration_ns),
             formatEnergy(known), formatEnergy(known.sd_mj),
             energyLabel(run.info.power.source, known.provenance).toStdString()
                 + (partial ? said("; %1 not covered", formatDuration(known.uncovered_ns()))
                            : std::string())});
    }
    return rows;
}

Rows answerRows(const std::vector<AnswerSection>& sections)
{
    Rows rows;
    for (const AnswerSection& section : sections) {
        rows.push_back({term(section.name).toStdString(),
                        section.tokens > 0 ? std::to_string(section.tokens) : kMissingText,
                        formatDuration(section.time.duration_ns()), formatEnergy(section.energy),
                        formatFigure(RunFigure::JoulesPerOutputToken, section.joulesPerToken())});
    }
    return rows;
}

} // namespace

HtmlPage runReport(const energy::ComparedRun& compared, HtmlPage::Charts charts,
                   const session::Explanation* why)
{
    const Run& run = *compared.run;
    HtmlPage page(said("Run: %1", previewUtf8(runTitle(run.info), kTitlePreview)), charts);
    const std::string& source = run.info.power.source;
    const Provenance provenance = run.metrics.energy.provenance;
    const std::string how = energyLabel(source, provenance).toStdString();
    if (why != nullptr) {
        page.paragraph(answerTexts(why->diagnosis).front().toStdString());
        if (const QString reason = leadText(*why); !reason.isEmpty())
            page.paragraph(reason.toStdString());
    }
    page.note(said("%1, %2 on %3, %4, run %5. Joules are %6.", run.info.model.name, run.info.dtype,
                   run.info.device, isoTimestamp(run.info.created_at_ms), run.info.id,
                   energyOriginText(source, provenance).toStdString()));
    if (run.info.status != RunStatus::Complete)
        page.warning(said("This run did not complete: %1. %2",
                          statusText(run.info.status).toStdString(), run.info.status_message),
                     true);
    if (provenance == Provenance::Modelled) {
        page.warning(source == "simulated"
                         ? said("The energies are those of a simulated machine, not measured.")
                         : said("The energies are modelled from the load of the machine, not "
                                "measured. They follow processor time."),
                     true);
    }
    if (why != nullptr)
        addWhy(page, *why);
    page.heading(said("Figures"));
    Rows figures;
    for (const RunFigureFacts& facts : kRunFigures) {
        const RunFigure metric = facts.figure;
        const auto value = valueOf(metric, run.info, run.metrics);
        figures.push_back({word(metric), formatFigure(metric, value),
                           !value ? provenanceLabel(Provenance::Missing).toStdString()
                               : needsEnergy(metric) ? how
                                                     : said("timed")});
    }
    page.table({said("Figure"), said("Value"), said("How")}, figures);
    const Comparison alone = energy::compare({{"", {compared}}});
    if (const auto& tokens = alone.groups.front().tokens) {
        page.note(said("Mean energy of the decoded tokens, without the time between them: %1, 95 % "
                       "interval %2 by a block bootstrap over %3 tokens in blocks of %4. It "
                       "applies to this run only.",
                       formatFigure(RunFigure::JoulesPerToken, tokens->mean),
                       intervalText(RunFigure::JoulesPerToken, tokens->ci95, false),
                       std::to_string(tokens->n), std::to_string(tokens->block)));
    }
    page.heading(said("Power and phases"));
    page.chart(runPower(run, kWide));
    page.chart(runPhases(run, kWide));
    page.table({said("Phase"), said("Time"), said("Energy"), said("sd"), said("How")},
               phaseRows(run));
    page.heading(said("Tokens"));
    page.chart(runTokens(run, kWide));
    if (const auto sections = answerSections(run); !sections.empty())
        page.table({said("Section"), said("Tokens"), said("Time"), said("Energy"),
                    said("Energy per output token")},
                   answerRows(sections));
    if (compared.totals && !compared.totals->empty()) {
        page.heading(said("Layers and components"));
        page.chart(runLayers(run, *compared.totals,
                             gridSize(static_cast<std::size_t>(run.info.model.layers))));
    }
    page.heading(said("Method and provenance"));
    for (const std::string& paragraph : methodOf(run))
        page.paragraph(paragraph);
    page.heading(said("Text"));
    addText(page, run.info);
    page.heading(said("Manifest"));
    page.table({}, manifestOf(run.info), true);
    return page;
}

} // namespace ep::ui
