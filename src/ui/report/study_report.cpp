// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report_words.h"
#include "report/reports.h"
#include "text.h"

#include "ep/core/format.h"
#include "ep/session/comparison.h"
#include "ep/store/store.h"
#include "ep/ui/terms.h"
#include "ep/ui/theme.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace ep::ui {

namespace {

using StudyFigure = energy::SampleStatistics;
using session::StudyGroup;
using session::StudyReport;

constexpr std::size_t kBlock = 3; // cells per comparison with the baseline, as many as it supports
constexpr std::size_t kMaxDetailed = 12; // cells other than the baseline that get charts

std::string labelOf(const StudyReport& report, const StudyGroup& group)
{
    return term(report.cells[group.cell].label).toStdString();
}

std::string figureText(RunFigure metric, const StudyFigure& figure)
{
    if (figure.n == 0)
        return kMissingText;
    return formatFigure(metric, figure.mean)
        + (figure.ci95 ? " (" + intervalText(metric, figure.ci95, false) + ')' : std::string());
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
             figureText(RunFigure::JoulesPerToken, group.joules_per_token),
             figureText(RunFigure::JoulesPerTotalToken, group.joules_per_total_token),
             figureText(RunFigure::TokensPerSecond, group.tokens_per_second),
             timeText(group.duration_s), differenceText(group),
             tested ? formatSignificant(*group.test->p_corrected, 2) : std::string(kMissingText),
             group.quality ? formatSignificant(group.quality->perplexity, 4) + " ("
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
    // The intervals of the block are those of the table above.
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
        // Sorted by what they are compared with.
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
