// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "exit_status.h"
#include "options.h"
#include "run_text.h"
#include "terminal.h"

#include "ep/store/run_json.h"
#include "ep/store/store.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <memory>

namespace ep::app {

namespace {

using store::Store;

struct RunsOptions {
    DatabaseOption database;
    store::RunFilter filter{};
    std::string run{};
    std::vector<std::string> runs{};
    std::string format = "json";
    std::string out{};
    bool json = false;
};

// For reading; runs that a dead process left behind are marked on the way, where that is possible.
Result<std::unique_ptr<Store>> openExisting(const std::filesystem::path& database)
{
    std::error_code ignored;
    if (!std::filesystem::exists(database, ignored)) {
        return Error{ErrorCode::NotFound,
                     "There is no database " + database.string()
                         + " yet: profile a run first, or name another file with --db."};
    }
    auto store = Store::open(database, Store::Mode::ReadWrite);
    if (store)
        return store;
    auto readOnly = Store::open(database, Store::Mode::ReadOnly);
    return readOnly ? std::move(readOnly) : std::move(store);
}

Result<Run> loadRun(const RunsOptions& options)
{
    const auto store = openExisting(options.database.path());
    if (!store)
        return store.error();
    const auto id = (*store)->resolveId(options.run);
    if (!id)
        return id.error();
    return (*store)->load(*id);
}

int list(const RunsOptions& options)
{
    std::error_code ignored;
    std::vector<RunSummary> runs;
    if (std::filesystem::exists(options.database.path(), ignored)) {
        const auto store = openExisting(options.database.path());
        if (!store)
            return fail(store.error());
        auto found = (*store)->list(options.filter);
        if (!found)
            return fail(found.error());
        runs = std::move(*found);
    }
    if (options.json)
        print(store::summariesToJson(runs) + '\n');
    else if (runs.empty())
        print("No runs in " + options.database.path().string() + '\n');
    else
        print(listText(runs));
    return kExitDone;
}

int show(const RunsOptions& options)
{
    const auto run = loadRun(options);
    if (!run)
        return fail(run.error());
    if (options.json) {
        print(store::runToJson(*run) + '\n');
        return kExitDone;
    }
    print("run      " + run->info.id + ", " + localTime(run->info.created_at_ms) + "\n\n"
          + printable(run->info.prompt + run->info.response) + "\n\n" + summaryText(*run));
    return kExitDone;
}

int exportRun(const RunsOptions& options)
{
    const auto run = loadRun(options);
    if (!run)
        return fail(run.error());
    const Status written = options.format == "csv"
        ? store::exportCsv(*run, options.out)
        : writeText(options.out, store::runToJson(*run) + '\n');
    return written ? kExitDone : fail(written.error());
}

// All of them or none: an id that is wrong is found before the first run is deleted.
int remove(const RunsOptions& options)
{
    const auto store = openExisting(options.database.path());
    if (!store)
        return fail(store.error());
    std::vector<std::string> ids;
    for (const std::string& prefix : options.runs) {
        const auto id = (*store)->resolveId(prefix);
        if (!id)
            return fail(id.error());
        if (std::find(ids.begin(), ids.end(), *id) == ids.end())
            ids.push_back(*id);
    }
    for (const std::string& id : ids) {
        if (const Status status = (*store)->remove(id); !status)
            return fail(status.error());
        if (!options.json)
            print("Deleted " + id + '\n');
    }
    if (options.json)
        print(nlohmann::ordered_json({{"deleted", ids}}).dump(2) + '\n');
    return kExitDone;
}

using Action = std::function<int(const RunsOptions&)>;

void addFilter(CLI::App& command, RunsOptions& options)
{
    command.add_option("--text", options.filter.text,
                       "Only with this in prompt, response, model, experiment or tags");
    command.add_option("--model", options.filter.model, "Only of this model");
    command.add_option("--tag", options.filter.tag, "Only with this tag");
    command.add_option("--limit", options.filter.limit, "At most so many, the newest (0: all)")
        ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 40));
}

void addRun(CLI::App& command, RunsOptions& options)
{
    command.add_option("RUN", options.run, "Id of a run, or its beginning")->required();
}

} // namespace

void addRunsCommand(CLI::App& app, Invocation& invocation)
{
    CLI::App* runs = app.add_subcommand("runs", "Stored runs: list, show, export, delete");
    runs->require_subcommand(1);
    const auto add = [&](const char* name, const char* what, Action action) {
        auto options = std::make_shared<RunsOptions>();
        CLI::App* command = runs->add_subcommand(name, what);
        options->database.addTo(*command);
        command->callback([options, action, &invocation] {
            invocation.action = [options, action] { return action(*options); };
        });
        return std::pair{command, options};
    };

    const auto [listing, listOptions] = add("list", "All runs, the newest first", list);
    addFilter(*listing, *listOptions);
    listing->add_flag("--json", listOptions->json, "Summaries as JSON");

    const auto [showing, showOptions] = add("show", "One run", show);
    addRun(*showing, *showOptions);
    showing->add_flag("--json", showOptions->json, "The whole run as JSON");

    const auto [exporting, exportOptions] = add("export", "Write one run to files", exportRun);
    addRun(*exporting, *exportOptions);
    exporting->add_option("--format", exportOptions->format, "json (default) or csv")
        ->check(CLI::IsMember({"json", "csv"}));
    exporting
        ->add_option("--out", exportOptions->out, "File (-: stdout); for csv a folder to be made")
        ->required()
        ->type_name("PATH");

    const auto [deleting, deleteOptions] = add("delete", "Delete runs", remove);
    deleting->add_option("RUN", deleteOptions->runs, "Ids of runs, or their beginnings")
        ->required();
    deleting->add_flag("--json", deleteOptions->json, "The deleted ids as JSON");
}

} // namespace ep::app
