// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/reports.h"

#include "diagnosis_text.h"
#include "models/run_notes.h"
#include "pages/conversation_edit.h"
#include "report/why_section.h"
#include "text.h"

#include "ep/core/answer_sections.h"
#include "ep/core/clock.h"
#include "ep/core/format.h"
#include "ep/core/known_energy.h"
#include "ep/core/run_title.h"
#include "ep/core/utf8.h"
#include "ep/session/comparison.h"
#include "ep/store/store.h"
#include "ep/ui/terms.h"
#include "ep/ui/theme.h"
#include "ep/viz/metric.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <span>
#include <utility>

namespace ep::ui {

namespace {

using energy::Comparison;

constexpr std::size_t kTitlePreview = 60;
constexpr std::size_t kLongText = 4000;

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
                        formatCell(RunFigure::JoulesPerOutputToken, section.joulesPerToken())});
    }
    return rows;
}

using energy::Comparison;
using energy::MetricRow;
using energy::RunGroup;

// Ends a text with exactly one full stop, since some findings end with a complete sentence.
std::string ended(std::string text)
{
    return text.ends_with('.') ? text : text + '.';
}

void addFigures(HtmlPage& page, const Comparison& comparison)
{
    std::vector<std::string> columns{said("Figure")};
    for (const energy::GroupFacts& group : comparison.groups)
        columns.push_back(term(group.label).toStdString() + '\n' + said("mean (sd, n)"));
    Rows rows;
    for (const MetricRow& row : comparison.rows) {
        std::vector<std::string> cells{word(row.metric)};
        for (const energy::MetricCell& cell : row.groups)
            cells.push_back(worded(spreadText(row.metric, cell.statistics)));
        rows.push_back(std::move(cells));
    }
    page.table(columns, rows);
}

// Adds the causes of the difference, each with the effects of its amount and its price.
void addCauses(HtmlPage& page, const energy::CauseDifference& causes)
{
    page.paragraph(worded(causes.sentence));
    Rows rows;
    for (const energy::DifferencePart& part : causes.parts) {
        const auto text = [&](energy::Picojoules value) {
            const double amount = energy::toDouble(value) * energy::kPico;
            if (causes.of_time)
                return formatDuration(std::llround(amount * 1e9));
            return formatEnergy(Millijoules{amount * 1e3});
        };
        rows.push_back({term(part.title).toStdString(), text(part.before), text(part.after),
                        text(part.difference()), text(part.by_amount), text(part.by_price)});
    }
    page.table({causes.per_token ? said("Part, per output token") : said("Part"), said("Baseline"),
                said("This run"), said("Difference"), said("by amount"), said("by price")},
               rows);
}

void addDifferences(HtmlPage& page, const Comparison& comparison, std::size_t group)
{
    page.subheading(said("%1 against %2", labelOf(comparison, group),
                         labelOf(comparison, comparison.options.baseline)));
    Rows rows;
    std::vector<std::pair<Message, std::string>>
        tests; // the reason for each test, with its figures
    for (const MetricRow& row : comparison.rows) {
        const energy::MetricCell& cell = row.groups[group];
        if (!cell.test) {
            rows.push_back({word(row.metric), kMissingText, kMissingText, kMissingText,
                            kMissingText, worded(title(cell.verdict))});
            continue;
        }
        const energy::SideTest& test = *cell.test;
        if (isTested(row.metric) && !test.reason.empty()) {
            const auto known = std::find_if(tests.begin(), tests.end(), [&](const auto& one) {
                return one.first == test.reason;
            });
            if (known == tests.end())
                tests.emplace_back(test.reason, word(row.metric));
            else
                known->second += ", " + word(row.metric);
        }
        rows.push_back(
            {word(row.metric), formatFigure(row.metric, test.difference, true),
             worded(differenceText(test)),
             test.p_corrected ? formatProbability(*test.p_corrected) : std::string(kMissingText),
             test.hedges_g ? formatSignificant(*test.hedges_g, 2) : std::string(kMissingText),
             worded(title(cell.verdict))});
    }
    page.table({said("Figure"), said("Difference"), said("Relative"), said("p (corrected)"),
                said("Hedges' g"), said("Verdict")},
               rows);
    for (const auto& [reason, figures] : tests)
        page.note((tests.size() == 1 ? "" : figures + ": ") + worded(reason));
    if (const auto& causes = comparison.groups[group].causes)
        addCauses(page, *causes);
    page.paragraph(said("Energy and quality: %1.", worded(qualitySentence(comparison, group))));
    for (const RunFigure metric : {RunFigure::JoulesPerToken, RunFigure::TokensPerSecond}) {
        if (const MetricRow* row = comparison.row(metric))
            page.paragraph(word(metric) + ": "
                           + ended(worded(sentenceOf(comparison, *row, group))));
    }
}

// Adds parts, and what is below parts that differ; charts show the layers of all others.
void addTree(HtmlPage& page, const Comparison& comparison, std::size_t group)
{
    Rows rows;
    for (const energy::DifferenceNode& node : comparison.tree) {
        if (node.depth > 1
            && !isFound(
                comparison.tree[static_cast<std::size_t>(node.parent)].tests[group].verdict))
            continue;
        const energy::NodeCell& mj = node.energy_mj[group];
        const energy::NodeCell& ms = node.time_ms[group];
        const auto energyText = [](std::optional<double> value, bool sign) {
            std::string text =
                formatEnergy(value ? std::optional(Millijoules{*value}) : std::nullopt);
            return sign ? withSign(std::move(text), value.value_or(0.0)) : text;
        };
        const auto timeText = [](std::optional<double> value) {
            return value ? withSign(formatDuration(std::llround(*value * 1e6)), *value)
                         : std::string(kMissingText);
        };
        std::string indent;
        for (int i = 0; i < node.depth; ++i)
            indent += "\u2003";
        rows.push_back(
            {indent + titleOf(node), energyText(mj.mean, false), energyText(mj.difference, true),
             mj.ci95
                 ? said("%1 to %2", energyText(mj.ci95->low, true), energyText(mj.ci95->high, true))
                 : std::string(kMissingText),
             timeText(ms.difference), worded(sentenceOf(comparison, node, group))});
    }
    page.table({said("Node, %1", term(title(comparison.options.normalisation)).toStdString()),
                said("Energy"), said("minus baseline"), said("95 % interval"),
                said("Time minus baseline"), said("Finding")},
               rows);
    page.note(worded(explainTree(comparison)));
}

using StudyFigure = energy::SampleStatistics;
using session::StudyGroup;
using session::StudyReport;

constexpr std::size_t kBlock = 3; // cells per comparison with the baseline, as many as it supports
constexpr std::size_t kMaxDetailed = 12; // cells other than the baseline that get charts

std::string labelOf(const StudyReport& report, const StudyGroup& group)
{
    return term(report.cells[group.cell].label).toStdString();
}

std::string timeText(const StudyFigure& figure)
{
    constexpr double kNanoseconds = 1e9;
    return formatDuration(std::llround(figure.mean * kNanoseconds));
}

std::string differenceText(const StudyGroup& group)
{
    if (group.baseline())
        return said("baseline");
    if (!group.test || !group.test->relative)
        return kMissingText;
    return term(energy::differenceText(*group.test)).toStdString();
}

void addCells(HtmlPage& page, const StudyReport& report, std::span<const StudyGroup> groups)
{
    const bool energies = groups.front().joules_per_token.n > 0;
    std::vector<std::vector<std::string>> rows;
    for (const StudyGroup& group : groups) {
        const bool tested = group.test && group.test->p_corrected;
        rows.push_back(
            {labelOf(report, group), std::to_string(group.duration_s.n),
             worded(figureText(RunFigure::JoulesPerToken, group.joules_per_token)),
             worded(figureText(RunFigure::JoulesPerTotalToken, group.joules_per_total_token)),
             worded(figureText(RunFigure::TokensPerSecond, group.tokens_per_second)),
             timeText(group.duration_s), differenceText(group),
             tested ? formatProbability(*group.test->p_corrected) : std::string(kMissingText),
             group.quality ? formatPerplexity(group.quality->perplexity) + " ("
                     + group.quality->text_name + ')'
                           : said("not measured")});
    }
    page.table({said("Cell"), said("Runs"), said("Energy per output token\nmean (95 % interval)"),
                said("Energy per input and output token\nmean (95 % interval)"),
                said("Tokens per second\nmean (95 % interval)"), said("Time"), said("Difference"),
                said("p (corrected)"), said("Perplexity")},
               rows);
    page.note(said("Differences are in %1, relative to the first cell with the same model and "
                   "prompt. Their intervals hold together with 95 %; p-values are corrected for "
                   "all %2 of them.",
                   energies ? said("energy per token") : said("time (no energies are available)"),
                   std::to_string(groups.front().comparisons)));
}

// Adds the baseline and some other cells, with charts.
Status addBlock(HtmlPage& page, const store::Store& store, const StudyReport& report,
                const std::vector<const StudyGroup*>& cells)
{
    std::vector<std::vector<std::string>> ids;
    for (const StudyGroup* cell : cells)
        ids.push_back(cell->runs);
    auto groups = session::loadGroups(store, ids);
    if (!groups)
        return groups.error();
    for (std::size_t i = 0; i < cells.size(); ++i)
        (*groups)[i].label = labelOf(report, *cells[i]);
    page.setNested(true);
    // The intervals of the block are the same as in the table above.
    const double share = static_cast<double>(cells.size() - 1)
        / static_cast<double>(std::max<std::int64_t>(1, cells.front()->comparisons));
    addComparison(page, *groups,
                  energy::compare(*groups, {.error = energy::kIntervalError * share}));
    page.setNested(false);
    return {};
}

Status addComparisons(HtmlPage& page, const store::Store& store, const StudyReport& report,
                      std::span<const StudyGroup> groups)
{
    const StudyGroup* baseline = &groups.front();
    std::vector<const StudyGroup*> others;
    for (const StudyGroup& group : groups) {
        if (group.baseline())
            baseline = &group;
        else
            others.push_back(&group);
    }
    if (others.size() > kMaxDetailed) {
        page.note(said("Charts follow for the baseline and the first %1 configurations of the "
                       "table, which need the least energy; `energy-profiler runs report` draws "
                       "them for any other "
                       "runs.",
                       std::to_string(kMaxDetailed)));
        others.resize(kMaxDetailed);
    }
    if (others.size() > kBlock) {
        page.note(said("Each cell is compared with the baseline, in blocks of up to %1.",
                       std::to_string(kBlock)));
    }
    for (std::size_t begin = 0; begin == 0 || begin < others.size(); begin += kBlock) {
        std::vector<const StudyGroup*> cells{baseline};
        for (std::size_t i = begin; i < std::min(begin + kBlock, others.size()); ++i)
            cells.push_back(others[i]);
        std::string heading = labelOf(report, *baseline);
        for (std::size_t i = 1; i < cells.size(); ++i)
            heading = i == 1 ? said("%1 and %2", heading, labelOf(report, *cells[i]))
                             : heading + ", " + labelOf(report, *cells[i]);
        page.subheading(heading);
        if (const Status added = addBlock(page, store, report, cells); !added)
            return added;
    }
    return {};
}

} // namespace

Rows manifestOf(const RunInfo& info)
{
    Rows rows;
    for (const energy::Fact& fact : energy::factsOf({info, {}}, energy::kInManifest)) {
        rows.push_back({term(fact.term).toStdString(),
                        fact.value.empty() ? kMissingText : factText(fact).toStdString()});
    }
    return rows;
}

std::vector<std::string> methodOf(const Run& run)
{
    std::vector<std::string> method{ended(said(
        "The joules are %1",
        explainedEnergyLabel(run.info.power.source, run.metrics.energy.provenance).toStdString()))};
    for (const energy::Fact& fact :
         energy::factsOf({run.info, run.metrics, &run.trace}, energy::kInMethod))
        method.push_back(worded(sequence({fact.term, fact.value}, ": ")));
    method.push_back(
        said("A step is one forward pass; token 0 is produced by the prefill and includes its "
             "energy. All times are from one monotonic clock. Missing values are a dash, never a "
             "zero."));
    return method;
}

std::string fileNameOf(const viz::Scene& scene)
{
    std::string name;
    for (const char c : scene.title) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80 && std::isalnum(byte))
            name += static_cast<char>(std::tolower(byte));
        else if (!name.empty() && name.back() != '-')
            name += '-';
    }
    while (!name.empty() && name.back() == '-')
        name.pop_back();
    return name.empty() ? "chart" : name;
}

std::string worded(const Message& text)
{
    return term(text).toStdString();
}

std::string word(RunFigure figure)
{
    return worded(title(figure));
}

void addTexts(HtmlPage& page, const RunInfo& info, std::size_t length, std::size_t sequences)
{
    const auto add = [&](const std::string& ofPrompt, const std::string& ofResponse,
                         const auto& sequence) {
        page.subheading(ofPrompt);
        page.paragraph(previewUtf8(
            sequence.conversation.empty() ? sequence.prompt : spokenText(sequence.conversation),
            length));
        page.subheading(ofResponse);
        page.paragraph(sequence.response.empty() ? kMissingText
                                                 : previewUtf8(sequence.response, length));
    };
    if (info.batch.empty())
        add(said("Prompt"), said("Response"), info);
    const std::size_t shown = std::min(info.batch.size(), sequences);
    for (std::size_t i = 0; i < shown; ++i)
        add(said("Prompt %1", std::to_string(i + 1)), said("Response %1", std::to_string(i + 1)),
            info.batch[i]);
    if (shown < info.batch.size())
        page.note(said("The first %1 of %2 sequences.", std::to_string(shown),
                       std::to_string(info.batch.size())));
    if (!info.notes.empty()) {
        page.subheading(said("Notes"));
        page.paragraph(notesOf(info).toStdString());
    }
}

ChartSize gridSize(std::size_t rows)
{
    return {900.0, std::clamp(150.0 + 18.0 * static_cast<double>(rows), 220.0, 900.0)};
}

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
                          statusText(run.info.status).toStdString(),
                          term(run.info.status_message).toStdString()),
                     true);
    if (provenance == Provenance::Modelled) {
        page.warning(said("The energies are %1: %2.", how,
                          energyExplanation(source, provenance).toStdString()),
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
                       worded(energy::intervalText(RunFigure::JoulesPerToken, tokens->ci95)),
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
                    term(heading(RunFigure::JoulesPerOutputToken)).toStdString()},
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
    addTexts(page, run.info, kLongText, run.info.batch.size());
    page.heading(said("Manifest"));
    page.table({}, manifestOf(run.info), true);
    return page;
}

HtmlPage comparisonReport(const std::vector<RunGroup>& groups, const Comparison& comparison,
                          HtmlPage::Charts charts)
{
    std::string heading = labelOf(comparison, 0);
    for (std::size_t g = 1; g < comparison.groups.size(); ++g)
        heading = said("%1 and %2", heading, labelOf(comparison, g));
    HtmlPage page(said("Comparison: %1", heading), charts);
    addComparison(page, groups, comparison);
    return page;
}

void addComparison(HtmlPage& page, const std::vector<RunGroup>& groups,
                   const Comparison& comparison)
{
    for (const std::size_t g : comparison.others())
        page.paragraph(ended(worded(answerOf(comparison, g))));
    std::string differs;
    for (const std::string& one : comparison.differs_in)
        differs += (differs.empty() ? "" : ", ") + worded(one);
    page.note((differs.empty() ? said("The groups do not differ in any setting.")
                               : said("The groups differ in: %1.", differs))
              + ' ' + provenanceNote(comparison));
    for (const energy::ComparisonWarning& warning : comparison.warnings) {
        page.warning(worded(warning.text),
                     warning.weight == energy::ComparisonWarning::Weight::Serious);
    }
    page.heading(said("Figures"));
    addFigures(page, comparison);
    page.heading(said("Differences"));
    for (const std::size_t g : comparison.others())
        addDifferences(page, comparison, g);
    page.heading(said("Charts"));
    page.chart(energyDistributions(groups, comparison, kWide));
    page.chart(metricDistributions(comparison, RunFigure::TokensPerSecond, kWide));
    page.chart(powerOverlay(groups, comparison, PowerAlignment::DecodeStart, kWide));
    page.chart(cumulativeEnergy(groups, comparison, kWide));
    page.heading(said("Breakdown of the difference"));
    const ChartSize grid = gridSize(static_cast<std::size_t>(comparison.layers.layers));
    for (const std::size_t g : comparison.others()) {
        page.chart(layerDifferences(comparison, g, NodeQuantity::Energy, grid));
        page.chart(layerDifferences(comparison, g, NodeQuantity::Time, grid));
        addTree(page, comparison, g);
    }
    page.heading(said("Method and provenance"));
    page.paragraph(said(
        "Repeats are runs of one configuration. With at least 3 on each side, energy per "
        "token, mean power, time to first token and tokens per second are tested: runs that "
        "were made in pairs as pairs, others by Welch's t-test of the logarithms. The energy "
        "per token answers the question; p-values of the others are corrected together by "
        "Holm's method. Differences up to %1 do not matter. Intervals of means are bootstrap-t "
        "intervals with a fixed seed (Student's t for 3 repeats).",
        formatPercent(comparison.options.smallest_difference)));
    for (std::size_t g = 0; g < groups.size(); ++g) {
        page.subheading(labelOf(comparison, g));
        for (const std::string& paragraph : methodOf(*groups[g].runs.front().run))
            page.paragraph(paragraph);
    }
    page.heading(said("Manifest"));
    std::vector<std::string> columns{""};
    std::vector<Rows> manifests;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        columns.push_back(said("%1 (first of %2)", labelOf(comparison, g),
                               std::to_string(groups[g].runs.size())));
        manifests.push_back(manifestOf(groups[g].runs.front().run->info));
    }
    Rows rows;
    for (std::size_t i = 0; i < manifests.front().size(); ++i) {
        std::vector<std::string> row{manifests.front()[i].front()};
        for (const Rows& manifest : manifests)
            row.push_back(manifest[i].back());
        rows.push_back(std::move(row));
    }
    page.table(columns, rows, true);
    page.note(said("Runs:"));
    for (const energy::GroupFacts& group : comparison.groups) {
        std::string ids;
        for (const std::string& id : group.ids)
            ids += (ids.empty() ? "" : ", ") + id;
        page.note(term(group.label).toStdString() + ": " + ids);
    }
}

Result<HtmlPage> studyReport(const store::Store& store, const StudyReport& report,
                             HtmlPage::Charts charts)
{
    HtmlPage page(said("Study: %1", report.name), charts);
    page.note(
        said("%1 of %2 runs are done.", std::to_string(report.done), std::to_string(report.steps)));
    for (const Message& winner : report.winners)
        page.paragraph(term(winner).toStdString());
    for (const Message& caution : report.cautions)
        page.warning(term(caution).toStdString(), false);
    for (const std::span<const StudyGroup> groups : session::rankedTogether(report)) {
        const StudyGroup& first = groups.front();
        page.heading(said("%1; power source %2", first.machine, first.source)
                     + (first.modelled && first.source != name(Provenance::Modelled)
                            ? " (" + provenanceLabel(Provenance::Modelled).toStdString() + ')'
                            : std::string()));
        addCells(page, report, groups);
        // The groups are sorted by the cells that they are compared with.
        for (std::size_t begin = 0; begin < groups.size();) {
            std::size_t end = begin;
            while (end < groups.size() && groups[end].baseline_cell == groups[begin].baseline_cell)
                ++end;
            if (const Status added =
                    addComparisons(page, store, report, groups.subspan(begin, end - begin));
                !added)
                return added.error();
            begin = end;
        }
    }
    return page;
}

} // namespace ep::ui
