// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "exit_status.h"
#include "interrupt_check.h"
#include "options.h"
#include "resources.h"
#include "runs_options.h"
#include "terminal.h"
#include "text_table.h"

#include "ep/core/format.h"
#include "ep/json/document.h"
#include "ep/session/comparison.h"
#include "ep/session/study_runner.h"
#include "ep/store/store_files.h"
#include "ep/ui/report.h"

#include <QCoreApplication>
#include <QTimer>

#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace ep::app {
namespace {

// A study as text for a terminal and as JSON (resources/schema/study_plan.schema.json,
// study_report.schema.json).

using Json = json::OrderedJson;
using StudyFigure = energy::SampleStatistics;
using session::StudyGroup;

std::string meanOf(RunFigure figure, const StudyFigure& sample)
{
    return formatCell(figure, sample.n > 0 ? std::optional(sample.mean) : std::nullopt);
}

// The difference from the baseline: "-12.3 %, p 0.004".
std::string differenceOf(const StudyGroup& group)
{
    if (group.baseline())
        return "baseline";
    if (!group.test || !group.test->relative)
        return kMissingText;
    return formatSignedPercent(*group.test->relative)
        + (group.test->p_corrected ? ", p " + formatProbability(*group.test->p_corrected)
                                   : ", no test");
}

std::string groupTable(const session::StudyReport& report, std::span<const StudyGroup> groups)
{
    using Align = TextTable::Align;
    TextTable table({{"cell", Align::Left, true},
                     {"runs", Align::Right},
                     {heading(RunFigure::JoulesPerToken), Align::Right},
                     {"sd", Align::Right, false, 4},
                     {"95 % interval", Align::Right},
                     {heading(RunFigure::JoulesPerTotalToken), Align::Right, false, 3},
                     {"tokens/s", Align::Right},
                     {"sd", Align::Right, false, 2},
                     {"time", Align::Right, false, 1},
                     {"difference", Align::Right},
                     {"perplexity", Align::Right}});
    constexpr double kNanoseconds = 1e9;
    for (const StudyGroup& group : groups) {
        table.addRow(
            {report.cells[group.cell].label.english(), std::to_string(group.duration_s.n),
             meanOf(RunFigure::JoulesPerToken, group.joules_per_token),
             relativeSd(group.joules_per_token),
             intervalText(RunFigure::JoulesPerToken, group.joules_per_token.ci95).english(),
             meanOf(RunFigure::JoulesPerTotalToken, group.joules_per_total_token),
             meanOf(RunFigure::TokensPerSecond, group.tokens_per_second),
             relativeSd(group.tokens_per_second),
             formatDuration(static_cast<Nanoseconds>(group.duration_s.mean * kNanoseconds)),
             differenceOf(group),
             group.quality ? formatPerplexity(group.quality->perplexity) : kMissingText});
    }
    return table.toString();
}

Json figureJson(const StudyFigure& figure)
{
    return {{"count", figure.n},
            {"mean", figure.n > 0 ? Json(figure.mean) : Json()},
            {"sd", figure.sd},
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
    return {{"text", group.quality->text_name},
            {"text_hash", group.quality->text_hash},
            {"perplexity", group.quality->perplexity},
            {"kl_nats", group.quality->kl},
            {"top1_agreement", group.quality->top1}};
}

Json cellJson(const session::NamedSettings& cell)
{
    return {{"id", cell.id},
            {"label", cell.label},
            {"model", cell.model()},
            {"prompt", cell.prompt},
            {"depth", std::string(name(cell.run.depth))},
            {"device", cell.device()},
            {"dtype", cell.dtype()},
            {"batch_size", cell.run.batch_size},
            {"output_tokens", cell.run.max_new_tokens}};
}

std::string dumped(const Json& json)
{
    return json::textOf(json, 2) + '\n';
}

std::string planText(const session::StudyPlan& plan)
{
    using Align = TextTable::Align;
    TextTable table({{"run", Align::Right}, {"cell", Align::Left, true}, {"repeat", Align::Right}});
    std::size_t number = 0;
    for (const session::StudyStep& step : plan.steps) {
        table.addRow({std::to_string(++number), plan.cells[step.cell].label.english(),
                      std::to_string(step.repeat)});
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
    for (const session::NamedSettings& cell : plan.cells)
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
        + counted(static_cast<std::int64_t>(report.steps), "run") + '\n';
    for (const std::span<const StudyGroup> groups : session::rankedTogether(report)) {
        const StudyGroup& first = groups.front();
        text += '\n' + first.machine + "\npower source " + first.source
            + (first.modelled ? " (modelled)" : "") + '\n' + groupTable(report, groups);
    }
    for (const Message& winner : report.winners)
        text += '\n' + wrapped(winner.english()) + '\n';
    for (const StudyGroup& group : report.groups) {
        if (group.test)
            text += "\n"
                + wrapped(verdictSentence(*group.test, report.cells[group.baseline_cell].label,
                                          report.cells[group.cell].label)
                              .english())
                + '\n';
    }
    for (const Message& caution : report.cautions)
        text += '\n' + wrapped(caution.english()) + '\n';
    return text;
}

// `file` is the HTML report; empty if there is none.
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
    for (const session::NamedSettings& cell : report.cells)
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

using session::StudyRunner;

struct StudyCommandOptions {
    DatabaseOption database;
    std::string file{};
    std::string shard{};
    std::string html{};
    bool hashes_only = false;
    bool json = false;
    bool plan = false;
    bool report = false;
    bool example = false;
    session::StudyShard part{};
};

// A study of the bundled model that takes some seconds.
constexpr std::string_view kExampleStudy = R"({
  "name": "formats",
  "models": ["demo-llama-5m"],
  "prompts": [{"name": "tale", "text": "Once upon a time"}],
  "dtypes": ["bf16", "int8"],
  "output_tokens": 32,
  "repeats": 3,
  "power": "modelled"
}
)";

Result<session::StudySpec> readStudy(const std::string& file)
{
    const auto text = readText(file);
    if (!text)
        return text.error();
    const std::filesystem::path folder =
        file == "-" ? std::filesystem::path(".") : std::filesystem::path(file).parent_path();
    auto spec = session::parseStudy(*text, folder);
    if (!spec)
        return Error{spec.error().code,
                     {"%1: %2", file == "-" ? "standard input" : file, spec.error().message}};
    return spec;
}

struct Report {
    session::StudyReport found;
    std::filesystem::path file; // HTML file; empty: nothing to show yet
    std::optional<Error> problem; // why the file was not written
};

// Reports all runs of the study in the database, including other shards and machines.
Result<Report> makeReport(const session::StudySpec& spec, const StudyCommandOptions& options)
{
    const std::filesystem::path database = options.database.path();
    if (!store::mayExist(database) || store::isEmptyFile(database))
        return Report{.found = session::reportStudy(spec, {}), .file = {}, .problem = {}};
    // If the database cannot be written, the study already reported that at its start.
    const auto store = store::Store::openToRead(database);
    if (!store)
        return store.error();
    const auto runs = (*store)->list({.experiments = {spec.name}});
    if (!runs)
        return runs.error();
    const auto qualities = (*store)->qualities();
    if (!qualities)
        return qualities.error();
    Report report{
        .found = session::reportStudy(spec, *runs, *qualities), .file = {}, .problem = {}};
    if (report.found.groups.empty())
        return report;
    report.file = options.html.empty() ? ui::studyReportFile(database, spec.name, options.part)
                                       : std::filesystem::path(options.html);
    if (const Status saved = ui::saveStudyReport(**store, report.found, report.file); !saved) {
        report.file.clear();
        report.problem = saved.error();
    }
    return report;
}

std::string timeLeft(double seconds)
{
    if (seconds < 0.0)
        return {};
    constexpr double kMinute = 60.0;
    return seconds < kMinute
        ? std::string()
        : ", about " + std::to_string(std::lround(seconds / kMinute)) + " min left";
}

session::StudyResult execute(const session::StudySpec& spec, const StudyCommandOptions& options)
{
    const Interrupt interrupt;
    ProgressLine progress;
    std::string where;
    auto token = spec.servers.empty() ? Result<std::string>(std::string()) : readServerToken({});
    if (!token) {
        session::StudyResult failed;
        failed.error = token.error();
        return failed;
    }
    StudyRunner runner(spec, session::planStudy(spec, options.part),
                       {.database = options.database.path(),
                        .findModel = findModel,
                        .server_token = *std::move(token),
                        .store_texts = !options.hashes_only},
                       session::realBackend());
    QTimer check;
    onInterrupt(check, interrupt, [&runner] { runner.cancel(); });
    int failed = 0;
    QObject::connect(&runner, &StudyRunner::stepStarting, &runner,
                     [&](int done, int steps, const Message& label, double seconds) {
                         where = "Run " + std::to_string(done + failed + 1) + " of "
                             + std::to_string(steps) + timeLeft(seconds) + ": " + label.english();
                         if (!options.json) {
                             progress.clear();
                             print(where + '\n');
                             static_cast<void>(flushOutput());
                         }
                     });
    QObject::connect(&runner, &StudyRunner::progress, &runner,
                     [&](double fraction, const Message& what) {
                         progress.show(fraction, where + ": " + what.english());
                     });
    QObject::connect(&runner, &StudyRunner::stepFailed, &runner,
                     [&](const session::StudyFailure& failure) {
                         ++failed;
                         progress.clear();
                         printError(failure.cell.english() + ": " + failure.message.english());
                     });
    QObject::connect(&runner, &StudyRunner::finished, &runner, &QCoreApplication::quit);
    check.start();
    runner.start();
    QCoreApplication::exec();
    return runner.result();
}

int statusOf(const session::StudyResult& result)
{
    if (result.error)
        return failAsked(*result.error);
    if (result.cancelled) {
        printError("Cancelled; " + std::to_string(result.left)
                   + (result.left == 1 ? " run is" : " runs are")
                   + " left; the same command resumes the study.");
        return kExitCancelled;
    }
    if (!result.failures.empty()) {
        const bool one = result.failures.size() == 1;
        printError(counted(std::ssize(result.failures), "cell") + " failed; the same command tries "
                   + (one ? "it" : "them") + " again.");
        return kExitFailed;
    }
    return kExitDone;
}

int study(const StudyCommandOptions& options, Invocation& invocation)
{
    if (options.example) {
        print(kExampleStudy);
        return kExitDone;
    }
    const auto spec = readStudy(options.file);
    if (!spec)
        return fail(spec.error());
    if (options.plan) {
        const session::StudyPlan plan = session::planStudy(*spec, options.part);
        options.json ? printJson(planJson(*spec, plan)) : print(planText(plan));
        return kExitDone;
    }
    const QCoreApplication application(invocation.argc, invocation.argv);
    session::StudyResult result;
    if (!options.report)
        result = execute(*spec, options);
    const auto report = makeReport(*spec, options);
    if (!report)
        return fail(report.error());
    if (options.json)
        printJson(reportJson(report->found, result, report->file));
    else
        print('\n' + reportText(report->found));
    if (!options.json && !report->file.empty())
        print("\nreport   " + report->file.string() + '\n');
    const int status = statusOf(result);
    if (report->problem) {
        const int unwritten = fail(*report->problem);
        return status == kExitDone ? unwritten : status;
    }
    return status;
}

} // namespace

void addStudyCommand(CLI::App& app, Invocation& invocation)
{
    auto options = std::make_shared<StudyCommandOptions>();
    CLI::App* command = app.add_subcommand(
        "study", "Run models x prompts x settings x repeats; resumes an interrupted study");
    auto* const file =
        command->add_option("FILE", options->file, "Study as JSON (-: stdin); see docs/studies.md")
            ->type_name("FILE");
    command
        ->add_flag("--example", options->example, "Print a study to begin with, and nothing else")
        ->excludes(file);
    command
        ->add_option("--shard", options->shard, "Run only every N-th run, starting with the I-th")
        ->type_name("I/N");
    auto* plan = command->add_flag("--plan", options->plan, "Only list the runs in order");
    command->add_flag("--report", options->report, "Only compare the runs stored so far")
        ->excludes(plan);
    addOutput(*command, "--html", options->html,
              "File for the report (default: study-NAME.html next to the database)")
        ->excludes(plan);
    addHashesOnly(*command, options->hashes_only);
    command->add_flag("--json", options->json, "Print the plan or the comparison as JSON");
    options->database.addTo(*command);
    command->callback([options, &invocation] {
        if (options->file.empty() && !options->example)
            throw CLI::RequiredError("FILE, or --example");
        if (!options->shard.empty()) {
            const auto shard = session::parseShard(options->shard);
            if (!shard)
                throw CLI::ValidationError("--shard: " + shard.error().message.english());
            options->part = *shard;
        }
        invocation.action = [options, &invocation] { return study(*options, invocation); };
    });
}

} // namespace ep::app
