// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/why_section.h"

#include "report/reports.h"
#include "text.h"

#include "ep/core/format.h"
#include "ep/ui/terms.h"

namespace ep::ui {

namespace {

using energy::Diagnosis;
using energy::Finding;
using energy::Judgement;

constexpr ChartSize kRooflineSize{900.0, 360.0};

std::vector<std::string> causeRow(const Diagnosis& diagnosis, const Finding& finding)
{
    const bool named = finding.judgement == Judgement::Named;
    return {term(energy::factsOf(finding.cause).title).toStdString(),
            finding.explained.value > 0.0 ? energy::formatAmount(diagnosis, finding.explained.value)
                                          : std::string(kMissingText),
            finding.explained.value > 0.0 ? worded(energy::formatShare(finding.share))
                                          : std::string(kMissingText),
            named ? formatPercent(finding.probability) : std::string(kMissingText),
            named ? term(finding.evidence).toStdString()
                  : said("Not enough data. %1", term(finding.missing).toStdString())};
}

} // namespace

void addToRoofline(viz::RooflineChart& chart, const Diagnosis& diagnosis, const std::string& label)
{
    const std::size_t series = chart.series.size();
    chart.series.push_back(label);
    const energy::MachineCosts& costs = diagnosis.costs;
    const bool priced = diagnosis.of_time || costs.energies != energy::CostOrigin::Unknown;
    if (priced && costs.ceilings != energy::CostOrigin::Unknown)
        chart.machines.push_back({.label = label,
                                  .joules_per_flop = costs.mean.joules_per_flop,
                                  .joules_per_byte = costs.mean.joules_per_byte,
                                  .static_watts = costs.mean.watts,
                                  .seconds_per_flop = costs.mean.seconds_per_flop,
                                  .seconds_per_byte = costs.mean.seconds_per_byte});
    for (const energy::DividedNode& divided : diagnosis.nodes) {
        const energy::WorkNode& node = divided.node;
        if (node.kind != energy::WorkNode::Kind::Work || !divided.division)
            continue;
        const std::string word = std::string(name(node.phase)) + ' ' + node.word();
        chart.dots.push_back({.flops = node.amount.flops,
                              .bytes = node.amount.bytes,
                              .cost = energy::toDouble(divided.division->whole) * energy::kPico,
                              .text = word,
                              .link = word,
                              .series = series});
    }
}

viz::RooflineChart rooflineOf(const Diagnosis& diagnosis, const std::string& label, ChartSize size)
{
    viz::RooflineChart chart;
    chart.frame =
        frameOf(size, diagnosis.of_time ? said("Roofline of time") : said("Energy roofline"));
    chart.frame.x_title = said("FLOPs per byte");
    chart.frame.y_title = diagnosis.of_time ? "FLOP/s" : "FLOP/J";
    chart.frame.empty = said("No part of this run has counted work: record it at depth module.");
    switch (diagnosis.costs.ceilings) {
    case energy::CostOrigin::Measured:
        chart.frame.note = said("Line: what this machine reaches.");
        break;
    case energy::CostOrigin::Fitted: // never: a run does not show what the machine can do
    case energy::CostOrigin::Unknown:
        chart.frame.note = said("No line: the limits of this machine are not measured.");
        break;
    }
    chart.frame.note += ' ' + said("Size of a dot: its share.");
    chart.of_time = diagnosis.of_time;
    addToRoofline(chart, diagnosis, label);
    return chart;
}

void addWhy(HtmlPage& page, const session::Explanation& explanation)
{
    const Diagnosis& diagnosis = explanation.diagnosis;
    page.heading(said("Why"));
    viz::BarChart bars;
    bars.frame =
        frameOf(kRooflineSize, diagnosis.named().empty() ? said("Where it went") : said("Causes"));
    for (const session::AnswerBar& bar : explanation.bars)
        bars.bars.push_back({.label = term(bar.title).toStdString(),
                             .value = 100.0 * bar.share,
                             .text = formatPercent(bar.share) + ", " + bar.amount});
    if (!bars.bars.empty())
        page.chart(viz::layoutBars(bars));
    std::vector<std::vector<std::string>> rows;
    for (const Finding& finding : diagnosis.findings) {
        if (finding.judgement != Judgement::Absent)
            rows.push_back(causeRow(diagnosis, finding));
    }
    if (!rows.empty())
        page.table({said("Cause"), said("Explains"), said("Share (95 % interval)"),
                    said("Probability"), said("Evidence")},
                   rows, true);
    page.chart(viz::layoutRoofline(rooflineOf(diagnosis, said("limits"), kRooflineSize)));
    if (!explanation.remedies.empty()) {
        page.subheading(said("What to do"));
        std::vector<std::string> lines;
        for (const energy::Remedy& remedy : explanation.remedies)
            lines.push_back(worded(lineOf(diagnosis, remedy)));
        page.list(lines);
    }
    if (const Message record = session::trackRecordOf(explanation.tried); !record.empty())
        page.note(worded(record));
    for (const std::string& note : diagnosis.notes)
        page.note(term(note).toStdString());
}

} // namespace ep::ui
