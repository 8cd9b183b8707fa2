// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "exit_status.h"
#include "interrupt_check.h"
#include "options.h"
#include "resources.h"
#include "runs_options.h"
#include "study_text.h"
#include "terminal.h"

#include "ep/core/format.h"
#include "ep/session/study_runner.h"
#include "ep/store/store_files.h"
#include "ep/ui/report.h"

#include <QCoreApplication>
#include <QTimer>

#include <cmath>
#include <memory>
#include <optional>

namespace ep::app {

namespace {

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
    if (!store::mayExist(database))
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
    QObject::connect(&runner, &StudyRunner::stepStarting, &runner,
                     [&](int done, int steps, const Message& label, double seconds) {
                         where = "Run " + std::to_string(done + 1) + " of " + std::to_string(steps)
                             + timeLeft(seconds) + ": " + label.english();
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
                         progress.clear();
                         printError(failure.cell + ": " + failure.message.english());
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
        return result.error->code == ErrorCode::InvalidInput ? failUsage(result.error->message)
                                                             : fail(*result.error);
    if (result.cancelled) {
        printError("Cancelled; " + std::to_string(result.left)
                   + " runs are left; the same command resumes the study.");
        return kExitCancelled;
    }
    if (!result.failures.empty()) {
        printError(std::to_string(result.failures.size())
                   + " cells failed; the same command tries them again.");
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
    command
        ->add_option("--html", options->html,
                     "File for the report (default: study-NAME.html next to the database)")
        ->type_name("FILE")
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
