// SPDX-License-Identifier: GPL-3.0-or-later
#include "answer_text.h"
#include "exit_status.h"
#include "parts_text.h"
#include "run_text.h"
#include "runs_options.h"
#include "terminal.h"

#include "ep/core/joined.h"
#include "ep/core/no_layers.h"
#include "ep/json/writer.h"
#include "ep/session/answer.h"
#include "ep/session/babble.h"
#include "ep/store/run_json.h"
#include "ep/store/store_files.h"

#include <algorithm>

namespace ep::app {

namespace {

using store::Store;

std::vector<std::string> statusNames()
{
    std::vector<std::string> names;
    for (const RunStatus status : {RunStatus::Running, RunStatus::Complete, RunStatus::Cancelled,
                                   RunStatus::Failed, RunStatus::Interrupted})
        names.emplace_back(name(status));
    return names;
}

int listRuns(const RunsOptions& options)
{
    std::vector<RunSummary> runs;
    // Before the first run there is no database, but one that was named should be there.
    if (!options.database.text.empty() || store::mayExist(options.database.path())) {
        const auto store = openExisting(options.database.path());
        if (!store)
            return fail(store.error());
        auto found = (*store)->list(options.filter, options.limit);
        if (!found)
            return fail(found.error());
        runs = std::move(*found);
    }
    if (options.json)
        printJson(store::summariesToJson(runs) + '\n');
    else if (runs.empty())
        print(options.filter == RunFilter{}
                  ? "No runs in " + options.database.path().string() + '\n'
                  : "No run matches these filters\n");
    else
        print(listText(runs));
    return kExitDone;
}

int writeRun(const Store& store, const std::string& id, bool full)
{
    const auto run = store.source(id);
    if (!run)
        return fail(run.error());
    const Status written = writeStream("-", [&](std::ostream& sink) {
        return store::writeJson(**run, sink, 2,
                                full ? store::JsonExtent::Complete : store::JsonExtent::Overview);
    });
    return written ? kExitDone : fail(written.error());
}

int showParts(const Store& store, const std::string& id)
{
    const auto run = store.source(id);
    const auto parts = run ? partsText(**run) : Result<std::string>(run.error());
    if (!parts)
        return fail(parts.error());
    print(parts->empty() ? whyNoLayers((*run)->head().info) + '\n' : '\n' + *parts);
    return kExitDone;
}

// Prints thinking and answer, each with its sums over tokens.
int showAnswer(const Store& store, const std::string& id)
{
    const auto run = store.source(id);
    if (!run)
        return fail(run.error());
    AnswerSections sections((*run)->head().info);
    const Status read =
        (*run)->read(store::RunSource::Parts::Overview, [&](const RunTrace& piece) -> Status {
            sections.add(piece.tokens);
            return {};
        });
    if (!read)
        return fail(read.error());
    print(answerText(sections.sections()));
    return kExitDone;
}

int showBabble(const Run& run, const std::string& text)
{
    const auto rule = text::parseAnswerRule(text);
    if (!rule)
        return fail(rule.error());
    const auto babble = session::findBabble(run, *rule);
    if (!babble)
        return fail(babble.error());
    print('\n' + wrapped(session::babbleText(run, *rule, *babble).english()) + '\n');
    return kExitDone;
}

int showRun(const RunsOptions& options)
{
    const auto store = openExisting(options.database.path());
    if (!store)
        return fail(store.error());
    const auto id = (*store)->resolveId(options.run);
    if (!id)
        return fail(id.error());
    if (options.json)
        return writeRun(**store, *id, options.full);
    const auto overview = (*store)->overview(*id);
    if (!overview)
        return fail(overview.error());
    const Run& run = overview->run;
    const RunInfo& info = run.info;
    const auto answer = session::answerOf(**store, *id);
    if (!answer)
        return fail(answer.error());
    std::string text = openingText(run, *answer) + figuresText(run)
        + titledLine("run", info.id + ", " + utcTime(info.created_at_ms));
    if (!info.title.empty())
        text += titledLine("title", info.title);
    if (!info.notes.empty())
        text += titledLine("notes", info.notes.english());
    print(text + '\n' + beforeResponse(info, info.prompt) + info.response + furtherSequences(info)
          + "\n\n" + summaryText(run, tariffOf(options)));
    if (hasAnswerSections(info)) {
        if (const int status = showAnswer(**store, *id); status != kExitDone)
            return status;
    }
    if (options.parts) {
        if (const int status = showParts(**store, *id); status != kExitDone)
            return status;
    }
    return options.answer_end.empty() ? kExitDone : showBabble(run, options.answer_end);
}

} // namespace

Result<std::unique_ptr<Store>> openExisting(const std::filesystem::path& database)
{
    if (!store::mayExist(database)) {
        return Error{
            ErrorCode::NotFound,
            {"There is no database %1 yet: profile a run first, or name another file with --db.",
             database.string()}};
    }
    // Reading leaves even an empty file as it is.
    auto store = store::isEmptyFile(database) ? Store::open(database, Store::Mode::ReadOnly)
                                              : Store::openToRead(database);
    if (store && !(*store)->notice().empty())
        printError((*store)->notice());
    return store;
}

Result<std::unique_ptr<Store>> openToChange(const std::filesystem::path& database, bool create)
{
    if (!create && !store::mayExist(database))
        return openExisting(database);
    return Store::open(database);
}

Result<std::vector<std::string>> resolveAll(const Store& store,
                                            const std::vector<std::string>& prefixes)
{
    std::vector<std::string> ids;
    for (const std::string& prefix : prefixes) {
        const auto id = store.resolveId(prefix);
        if (!id)
            return id.error();
        if (std::find(ids.begin(), ids.end(), *id) == ids.end())
            ids.push_back(*id);
    }
    return ids;
}

int storeImport(const RunsOptions& options, const Run& run, const std::string& json,
                const std::string& text)
{
    if (!options.dry_run) {
        const auto store = openToChange(options.database.path(), true);
        if (!store)
            return fail(store.error());
        const auto added = (*store)->importRun(run);
        if (!added)
            return fail(added.error());
    }
    options.json ? printJson(json) : print(text);
    return kExitDone;
}

int failUsage(const Message& problem)
{
    printError(problem);
    return kExitUsage;
}

int failAsked(const Error& error)
{
    return error.code == ErrorCode::InvalidInput ? failUsage(error.message) : fail(error);
}

RunsCommands::Added RunsCommands::add(const char* name, const char* what, Action action)
{
    auto options = std::make_shared<RunsOptions>();
    CLI::App* command = m_runs.add_subcommand(name, what);
    options->command = command;
    options->database.addTo(*command);
    command->callback([options, action = std::move(action), &invocation = m_invocation] {
        invocation.action = [options, action] { return action(*options); };
    });
    return {command, options};
}

void addRun(CLI::App& command, RunsOptions& options)
{
    command
        .add_option("RUN", options.run,
                    "Id of a run or its beginning; last is the newest run, last~1 the one before")
        ->required();
}

void addRuns(CLI::App& command, RunsOptions& options)
{
    command
        .add_option(
            "RUN", options.runs,
            "Ids of runs or their beginnings; last is the newest run, last~1 the one before")
        ->required();
}

void addFilter(CLI::App& command, RunsOptions& options)
{
    RunFilter& filter = options.filter;
    command.add_option("--text", filter.text,
                       "Only runs with all these words in title, notes, prompt, response or facts");
    const auto words = [&](const char* option, std::vector<std::string>& list, const char* what) {
        return command.add_option(option, list, what)->allow_extra_args(false);
    };
    words("--model", filter.models,
          "Only runs of this model; can be repeated, like the options below");
    words("--tag", filter.tags, "Only runs with this tag");
    words("--experiment", filter.experiments, "Only runs of this experiment");
    words("--device", filter.devices, "Only runs on this device");
    words("--dtype", filter.dtypes, "Only runs with this compute type");
    words("--status", filter.statuses, "Only runs with this status, such as complete")
        ->check(oneOf(statusNames()));
    command.add_option("--limit", options.limit, "Only the N newest runs (0: all)")
        ->check(wholeFrom(0, std::int64_t{1} << 40));
}

void addTariff(CLI::App& command, RunsOptions& options)
{
    std::vector<std::string> regions;
    for (const energy::Tariff& preset : energy::tariffPresets())
        regions.push_back(preset.region);
    const energy::Tariff& usual = energy::tariffPresets().front();
    std::vector<std::string> listed = regions;
    listed.front() += " (default)";
    command
        .add_option("--region", options.region, "Region for the CO2 intensity: " + joined(listed))
        ->check(oneOf(regions));
    command
        .add_option("--usd-per-kwh", options.usd_per_kwh,
                    "Price of energy (default " + json::exactNumber(usual.usd_per_kwh) + ')')
        ->check(realFrom(0.0, energy::kMaxUsdPerKwh));
    command
        .add_option("--grams-per-kwh", options.grams_per_kwh,
                    "CO2 intensity, instead of the region's")
        ->check(realFrom(0.0, energy::kMaxGramsPerKwh));
}

energy::Tariff tariffOf(const RunsOptions& options)
{
    energy::Tariff tariff =
        energy::tariffOf(options.region).value_or(energy::tariffPresets().front());
    if (options.usd_per_kwh >= 0.0)
        tariff.usd_per_kwh = options.usd_per_kwh;
    if (options.grams_per_kwh >= 0.0) { // not the value of a region and year
        tariff.grams_per_kwh = options.grams_per_kwh;
        tariff.region.clear();
        tariff.date.clear();
        tariff.source.clear();
    }
    return tariff;
}

void addRunsCommand(CLI::App& app, Invocation& invocation)
{
    CLI::App* runs = app.add_subcommand("runs",
                                        "List, show, explain, compare, add up, report, export, "
                                        "import, edit and delete stored runs");
    runs->require_subcommand(1);
    RunsCommands commands(*runs, invocation);

    const auto [listing, listOptions] =
        commands.add("list", "List the runs, the newest first", listRuns);
    addFilter(*listing, *listOptions);
    listing->add_flag("--json", listOptions->json, "Print summaries as JSON");

    const auto [showing, showOptions] = commands.add("show", "Show a run", showRun);
    addRun(*showing, *showOptions);
    showing->add_flag("--json", showOptions->json, "Print an overview of the run as JSON");
    showing
        ->add_flag("--full", showOptions->full,
                   "With --json: everything, with all tokens and samples")
        ->needs("--json");
    showing->add_flag("--parts", showOptions->parts,
                      "Print a table of the components and, at depth deep, the operations");
    addTariff(*showing, *showOptions);
    showing
        ->add_option("--answer-end", showOptions->answer_end,
                     "Print what came after the answer was complete, by a rule: fence, json, "
                     "repetition or regex:PATTERN")
        ->check(refusing([](const std::string& text) -> Status {
            const auto rule = text::parseAnswerRule(text);
            return rule ? Status() : rule.error();
        }))
        ->type_name("RULE");

    addWhyCommand(commands);
    addCompareCommand(commands);
    addTotalsCommand(commands);
    addReportCommand(*runs, invocation);
    addExportCommand(commands);
    addImportCommand(commands);
    addChangeCommands(commands);
    addDeleteCommand(commands);
}

} // namespace ep::app
