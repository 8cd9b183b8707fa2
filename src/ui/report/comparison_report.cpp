// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report_words.h"
#include "report/reports.h"
#include "report/run_charts.h"
#include "text.h"

#include "ep/core/format.h"
#include "ep/ui/terms.h"
#include "ep/viz/metric.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ep::ui {

namespace {

using energy::Comparison;
using energy::MetricRow;
using energy::RunGroup;

// With exactly one full stop, since some findings end with a complete sentence.
std::string ended(std::string text)
{
    return text.ends_with('.') ? text : text + '.';
}

void addFigures(HtmlPage& page, const Comparison& comparison)
{
    std::vector<std::string> columns{said("Figure")};
    for (const energy::GroupFacts& group : comparison.groups)
        columns.push_back(group.label + '\n' + said("mean (sd; n)"));
    Rows rows;
    for (const MetricRow& row : comparison.rows) {
        std::vector<std::string> cells{word(row.metric)};
        for (const energy::MetricCell& cell : row.groups) {
            const energy::SampleStatistics& s = cell.statistics;
            cells.push_back(
                s.n == 0 ? std::string(kMissingText)
                         : formatFigure(row.metric, s.mean) + " ("
                        + (s.sd ? formatFigure(row.metric, *s.sd) + "; " : std::string())
                        + std::to_string(s.n) + ")");
        }
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
    page.subheading(said("%1 against %2", comparison.groups[group].label,
                         comparison.groups[comparison.options.baseline].label));
    Rows rows;
    std::vector<std::pair<std::string, std::string>>
        tests; // the reason for each test, with its figures
    for (const MetricRow& row : comparison.rows) {
        const energy::MetricCell& cell = row.groups[group];
        if (!cell.test) {
            rows.push_back({word(row.metric), kMissingText, kMissingText, kMissingText,
                            kMissingText, verdictText(cell.verdict).toStdString()});
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
             test.p_corrected ? formatSignificant(*test.p_corrected, 2) : std::string(kMissingText),
             test.hedges_g ? formatSignificant(*test.hedges_g, 2) : std::string(kMissingText),
             verdictText(cell.verdict).toStdString()});
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
            std::string text(sign && value.value_or(0.0) > 0.0 ? "+" : "");
            text += formatEnergy(value ? std::optional(Millijoules{*value}) : std::nullopt);
            return text;
        };
        const auto timeText = [](std::optional<double> value) {
            std::string text(value.value_or(0.0) > 0.0 ? "+" : "");
            text += value ? formatDuration(std::llround(*value * 1e6)) : std::string(kMissingText);
            return text;
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

} // namespace

std::string signedPercent(double share)
{
    std::string text(share > 0.0 ? "+" : "");
    text += formatPercent(share);
    return text;
}

HtmlPage comparisonReport(const std::vector<RunGroup>& groups, const Comparison& comparison,
                          HtmlPage::Charts charts)
{
    std::string heading = comparison.groups.front().label;
    for (std::size_t g = 1; g < comparison.groups.size(); ++g)
        heading = said("%1 and %2", heading, comparison.groups[g].label);
    HtmlPage page(said("Comparison: %1", heading), charts);
    addComparison(page, groups, comparison);
    return page;
}

void addComparison(HtmlPage& page, const std::vector<RunGroup>& groups,
                   const Comparison& comparison)
{
    for (std::size_t g = 0; g < comparison.groups.size(); ++g) {
        if (g != comparison.options.baseline)
            page.paragraph(ended(worded(answerOf(comparison, g))));
    }
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
    for (std::size_t g = 0; g < comparison.groups.size(); ++g) {
        if (g != comparison.options.baseline)
            addDifferences(page, comparison, g);
    }
    page.heading(said("Charts"));
    page.chart(energyDistributions(groups, comparison, kWide));
    page.chart(metricDistributions(comparison, RunFigure::TokensPerSecond, kWide));
    page.chart(powerOverlay(groups, comparison, PowerAlignment::DecodeStart, kWide));
    page.chart(cumulativeEnergy(groups, comparison, kWide));
    page.heading(said("Breakdown of the difference"));
    const ChartSize grid = gridSize(static_cast<std::size_t>(comparison.layers.layers));
    for (std::size_t g = 0; g < comparison.groups.size(); ++g) {
        if (g == comparison.options.baseline)
            continue;
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
        page.subheading(comparison.groups[g].label);
        for (const std::string& paragraph : methodOf(*groups[g].runs.front().run))
            page.paragraph(paragraph);
    }
    page.heading(said("Manifest"));
    std::vector<std::string> columns{""};
    std::vector<Rows> manifests;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        columns.push_back(said("%1 (first of %2)", comparison.groups[g].label,
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
        page.note(group.label + ": " + ids);
    }
}

} // namespace ep::ui
