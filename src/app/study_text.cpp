// SPDX-License-Identifier: GPL-3.0-or-later
#include "study_text.h"

#include "terminal.h"
#include "text_table.h"

#include "ep/core/format.h"
#include "ep/session/comparison.h"

#include <nlohmann/json.hpp>

#include <span>

namespace ep::app {

namespace {

using Json = nlohmann::ordered_json;
using StudyFigure = energy::SampleStatistics;
using session::StudyGroup;

std::string joulesOf(const StudyFigure& figure)
{
    constexpr double kMillijoules = 1000.0;
    if (figure.n == 0)
        return kMissingText;
    return formatEnergy(Millijoules{figure.mean * kMillijoules});
}

std::string spreadOf(const StudyFigure& figure)
{
    if (!figure.sd || !(figure.mean > 0.0))
        return kMissingText;
    return formatPercent(*figure.sd / figure.mean);
}

// "1.2 to 1.4 mJ": the 95 % interval of the mean.
std::string intervalOf(const StudyFigure& figure)
{
    constexpr double kMillijoules = 1000.0;
    if (!figure.ci95)
        return kMissingText;
    return formatEnergy(Millijoules{figure.ci95->low * kMillijoules}) + " to "
        + formatEnergy(Millijoules{figure.ci95->high * kMillijoules});
}

// The difference from the baseline: "-12.3 %, p 0.004".
std::string differenceOf(const StudyGroup& group)
{
    if (group.baseline())
        return "baseline";
    if (!group.test || !group.test->relative)
        return kMissingText;
    const std::string percent =
        withSign(formatPercent(*group.test->relative), *group.test->relative);
    return percent
        + (group.test->p_corrected ? ", p " + formatSignificant(*group.test->p_corrected, 2)
                                   : ", no test");
}

std::string groupTable(const session::StudyReport& report, std::span<const StudyGroup> groups)
{
    using Align = TextTable::Align;
    TextTable table({{"cell", Align::Left, true},
                     {"runs", Align::Right},
                     {"per token", Align::Right},
                     {"sd", Align::Right, false, 4},
                     {"95 % interval", Align::Right},
                     {"J/(in + out)", Align::Right, false, 3},
                     {"tokens/s", Align::Right},
                     {"sd", Align::Right, false, 2},
                     {"time", Align::Right, false, 1},
                     {"difference", Align::Right},
                     {"perplexity", Align::Right}});
    constexpr double kNanoseconds = 1e9;
    for (const StudyGroup& group : groups) {
        table.addRow(
            {report.cells[group.cell].label, std::to_string(group.duration_s.n),
             joulesOf(group.joules_per_token), spreadOf(group.joules_per_token),
             intervalOf(group.joules_per_token), joulesOf(group.joules_per_total_token),
             group.tokens_per_second.n > 0 ? formatSignificant(group.tokens_per_second.mean)
                                           : kMissingText,
             spreadOf(group.tokens_per_second),
             formatDuration(static_cast<Nanoseconds>(group.duration_s.mean * kNanoseconds)),
             differenceOf(group),
             group.quality ? formatSignificant(group.quality->perplexity, 4) : kMissingText});
    }
    return table.toString();
}

Json figureJson(const StudyFigure& figure)
{
    return {{"count", figure.n},
            {"mean", figure.n > 0 ? Json(figure.mean) : Json()},
            {"sd", figure.sd ? Json(*figure.sd) : Json()},
            {"ci95",
             figure.ci95 ? Json{{"low", figure.ci95->low}, {"high", figure.ci95->high}} : Json()}};
}

Json comparisonOf(const session::StudyReport& report, const StudyGroup& group)
{
    if (!group.test)
        return nullptr;
    return Json::parse(session::sideToJson(*group.test, report.cells[group.baseline_cell].label,
                                           report.cells[group.cell].label));
}

Json qualityJson(const StudyGroup& group)
{
    if (!group.quality)
        return nullptr;
    const auto orNull = [](const std::optional<double>& value) {
        return value ? Json(*value) : Json();
    };
    return {{"text", group.quality->text_name},
            {"text_hash", group.quality->text_hash},
            {"perplexity", group.quality->perplexity},
            {"kl_nats", orNull(group.quality->kl)},
            {"top1_agreement", orNull(group.quality->top1)}};
}

Json cellJson(const session::StudyCell& cell)
{
    return {{"id", cell.id},
            {"label", cell.label},
            {"model", cell.model},
            {"prompt", cell.prompt.name},
            {"depth", std::string(name(cell.depth))},
            {"device", cell.device},
            {"dtype", cell.dtype},
            {"batch_size", cell.batch_size},
            {"output_tokens", cell.output_tokens}};
}

std::string dumped(const Json& json)
{
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace

std::string planText(const session::StudyPlan& plan)
{
    using Align = TextTable::Align;
    TextTable table({{"run", Align::Right}, {"cell", Align::Left, true}, {"repeat", Align::Right}});
    std::size_t number = 0;
    for (const session::StudyStep& step : plan.steps) {
        table.addRow(
            {std::to_string(++number), plan.cells[step.cell].label, std::to_string(step.repeat)});
    }
    return table.toString();
}

std::string planJson(const session::StudySpec& spec, const session::StudyPlan& plan)
{
    Json json{{"format", "energy-profiler-study-plan"},
              {"version", 1},
              {"name", spec.name},
              {"cells", Json::array()},
              {"steps", Json::array()}};
    for (const session::StudyCell& cell : plan.cells)
        json["cells"].push_back(cellJson(cell));
    for (const session::StudyStep& step : plan.steps) {
        json["steps"].push_back(
            {{"cell", plan.cells[step.cell].id}, {"repeat", step.repeat}, {"tag", step.tag}});
    }
    return dumped(json);
}

std::string reportText(const session::StudyReport& report)
{
    std::string text = "Study " + report.name + ": " + std::to_string(report.done) + " of "
        + std::to_string(report.steps) + " runs\n";
    for (const std::span<const StudyGroup> groups : session::rankedTogether(report)) {
        const StudyGroup& first = groups.front();
        text += '\n' + first.machine + "\npower source " + first.source
            + (first.modelled ? " (modelled)" : "") + '\n' + groupTable(report, groups);
    }
    for (const std::string winner : report.winners)
        text += '\n' + wrapped(winner) + '\n';
    for (const StudyGroup& group : report.groups) {
        if (group.test)
            text += "\n"
                + wrapped(verdictSentence(*group.test, report.cells[group.baseline_cell].label,
                                          report.cells[group.cell].label)
                              .english())
                + '\n';
    }
    for (const std::string caution : report.cautions)
        text += '\n' + wrapped(caution) + '\n';
    return text;
}

std::string reportJson(const session::StudyReport& report, const session::StudyResult& result,
                       const std::filesystem::path& file)
{
    Json json{{"format", "energy-profiler-study-report"},
              {"version", 1},
              {"name", report.name},
              {"steps", report.steps},
              {"done", report.done},
              {"report", file.empty() ? Json() : Json(file.string())},
              {"ran", result.ran},
              {"skipped", result.skipped},
              {"failures", Json::array()},
              {"cells", Json::array()},
              {"groups", Json::array()},
              {"winners", report.winners},
              {"cautions", report.cautions}};
    for (const session::StudyFailure& failure : result.failures)
        json["failures"].push_back({{"cell", failure.cell}, {"message", failure.message}});
    for (const session::StudyCell& cell : report.cells)
        json["cells"].push_back(cellJson(cell));
    for (const StudyGroup& group : report.groups) {
        json["groups"].push_back(
            {{"cell", report.cells[group.cell].id},
             {"machine", group.machine},
             {"power_source", group.source},
             {"modelled", group.modelled},
             {"joules_per_token", figureJson(group.joules_per_token)},
             {"joules_per_total_token", figureJson(group.joules_per_total_token)},
             {"tokens_per_second", figureJson(group.tokens_per_second)},
             {"duration_s", figureJson(group.duration_s)},
             {"baseline", report.cells[group.baseline_cell].id},
             {"comparison", comparisonOf(report, group)},
             {"quality", qualityJson(group)},
             {"runs", group.runs}});
    }
    return dumped(json);
}

} // namespace ep::app
