// SPDX-License-Identifier: GPL-3.0-or-later
// The database as a file: its size, its backups, and what is left of a damaged one.
#include "commands.h"
#include "exit_status.h"
#include "run_text.h"
#include "runs_options.h"
#include "terminal.h"
#include "text_table.h"

#include "ep/core/format.h"
#include "ep/json/document.h"
#include "ep/store/store_files.h"

#include <iostream>
#include <memory>
#include <optional>
#include <unistd.h>

namespace ep::app {

namespace {

using Json = json::OrderedJson;
namespace fs = std::filesystem;

struct DbOptions {
    DatabaseOption database;
    bool backups = false;
    bool vacuum = false;
    bool restore = false;
    bool recover = false;
    std::string backup{}; // for restore; empty: the newest
    bool yes = false;
    std::string out{}; // for recover
    bool json = false;
};

int listBackups(const fs::path& database, bool json)
{
    const std::vector<store::Backup> backups = store::backupsOf(database);
    if (json) {
        Json found = Json::array();
        for (const store::Backup& one : backups)
            found.push_back({{"file", one.file.string()},
                             {"written_at_ms", one.written_ms},
                             {"bytes", one.bytes}});
        printAsJson(Json({{"format", "energy-profiler-backups"},
                          {"version", 1},
                          {"database", database.string()},
                          {"backups", std::move(found)}}));
        return kExitDone;
    }
    if (backups.empty()) {
        print("There is no backup of " + database.string() + " yet\n");
        return kExitDone;
    }
    TextTable table({{"backup"}, {"written"}, {"size", TextTable::Align::Right}});
    for (const store::Backup& one : backups)
        table.addRow({one.file.string(), utcTime(one.written_ms), formatBytes(one.bytes)});
    print(table.toString());
    return kExitDone;
}

// "runs.db: 9 runs, the newest of 2026-11-28 19:35"
std::string contentOf(const fs::path& database)
{
    std::string text = database.string() + ": ";
    if (!store::mayExist(database))
        return text + "not there";
    if (store::isEmptyFile(database))
        return text + "empty";
    const auto store = store::Store::openToRead(database);
    const auto runs = store ? (*store)->list() : Result<std::vector<RunSummary>>(store.error());
    if (!runs)
        return text + "cannot be read";
    text += counted(std::ssize(*runs), "run");
    return runs->empty() ? text
                         : text + ", the newest of " + utcTime(runs->front().info.created_at_ms);
}

// Shows both databases and asks for consent. Absent: there is no terminal to ask at.
std::optional<bool> agreed(const fs::path& database, const fs::path& backup)
{
    if (::isatty(STDIN_FILENO) != 1 || ::isatty(STDERR_FILENO) != 1)
        return std::nullopt;
    std::cerr << "Replace  " << contentOf(database) << "\nwith     " << contentOf(backup)
              << "\nThe first is kept beside it. Replace it? [y/N] " << std::flush;
    std::string answer;
    std::getline(std::cin, answer);
    return answer == "y" || answer == "Y" || answer == "yes";
}

int restore(const DbOptions& options)
{
    const fs::path database = options.database.path();
    fs::path backup = options.backup;
    if (backup.empty()) {
        const std::vector<store::Backup> backups = store::backupsOf(database);
        if (backups.empty()) {
            return fail(
                Error{ErrorCode::NotFound,
                      {"There is no backup beside %1; name a copy of a run database with --backup.",
                       database.string()}});
        }
        backup = backups.front().file;
    }
    if (!options.yes) {
        const auto agreement = agreed(database, backup);
        if (!agreement)
            return failUsage("This would replace " + contentOf(database) + " with "
                             + contentOf(backup) + "; confirm it with --yes.");
        if (!*agreement) {
            print("Nothing was changed\n");
            return kExitDone;
        }
    }
    const auto aside = store::restoreBackup(database, backup);
    if (!aside)
        return fail(aside.error());
    if (options.json) {
        printAsJson(Json({{"format", "energy-profiler-restored"},
                          {"version", 1},
                          {"restored", backup.string()},
                          {"before", aside->string()}}));
        return kExitDone;
    }
    print("Restored " + backup.string() + "\nThe database as it was before is " + aside->string()
          + '\n');
    return kExitDone;
}

int recover(const DbOptions& options)
{
    const fs::path database = options.database.path();
    const fs::path target =
        options.out.empty() ? store::recoveredFile(database) : fs::path(options.out);
    const auto report = store::salvage(database, target);
    if (!report)
        return fail(report.error());
    if (options.json) {
        printAsJson(Json({{"format", "energy-profiler-recovered"},
                          {"version", 1},
                          {"out", target.string()},
                          {"saved", report->saved},
                          {"partly", report->partly},
                          {"lost", report->lost},
                          {"lost_rows", report->lost_rows},
                          {"unreadable_pages", report->unreadable_pages}}));
        return kExitDone;
    }
    print("Saved " + report->sentence() + " in " + target.string() + '\n');
    return kExitDone;
}

int showSize(const store::Store& store, bool json)
{
    const auto size = store.size();
    if (!size)
        return fail(size.error());
    if (json) {
        Json runs = Json::array();
        for (const store::RunSize& run : size->runs)
            runs.push_back({{"id", run.id}, {"bytes", run.bytes}});
        printAsJson(Json({{"format", "energy-profiler-sizes"},
                          {"version", 1},
                          {"file_bytes", size->file_bytes},
                          {"free_bytes", size->free_bytes},
                          {"runs", std::move(runs)}}));
        return kExitDone;
    }
    TextTable table({{"run"}, {"size", TextTable::Align::Right}});
    for (const store::RunSize& run : size->runs)
        table.addRow({run.id, run.bytes ? formatBytes(*run.bytes) : kMissingText});
    table.addRow({"file size", formatBytes(size->file_bytes)});
    table.addRow({"free space", formatBytes(size->free_bytes)});
    print(table.toString());
    return kExitDone;
}

int size(const DbOptions& options)
{
    const auto store = openExisting(options.database.path());
    return store ? showSize(**store, options.json) : fail(store.error());
}

int vacuum(const DbOptions& options)
{
    const auto store = openToChange(options.database.path());
    if (!store)
        return fail(store.error());
    ProgressLine line;
    const auto show = line.shown();
    Status done = (*store)->emptyTrash({}, show);
    if (done)
        done = (*store)->vacuum({}, show);
    line.clear();
    if (!done)
        return fail(done.error());
    return options.json ? showSize(**store, true) : kExitDone;
}

int work(const DbOptions& options)
{
    return options.backups ? listBackups(options.database.path(), options.json)
        : options.vacuum   ? vacuum(options)
        : options.restore  ? restore(options)
        : options.recover  ? recover(options)
                           : size(options);
}

} // namespace

void addDbCommand(CLI::App& app, Invocation& invocation)
{
    auto options = std::make_shared<DbOptions>();
    CLI::App* command = app.add_subcommand(
        "db", "Show the size of the database, shrink it, or restore or recover it");
    auto* backups =
        command->add_flag("--backups", options->backups, "List the backups, newest first");
    auto* vacuum = command->add_flag("--vacuum", options->vacuum,
                                     "Return the space of deleted runs to the disk");
    auto* restore =
        command->add_flag("--restore", options->restore,
                          "Put a backup in the place of the database, which is kept beside it");
    auto* recover =
        command->add_flag("--recover", options->recover,
                          "Write what can be read of a damaged database into a new file beside it");
    backups->excludes(vacuum)->excludes(restore)->excludes(recover);
    vacuum->excludes(restore)->excludes(recover);
    restore->excludes(recover);
    command
        ->add_option("--backup", options->backup,
                     "The backup, or any copy of a run database (default: the newest)")
        ->type_name("FILE")
        ->needs(restore);
    command->add_flag("--yes", options->yes, "Do not ask before the database is replaced")
        ->needs(restore);
    addOutput(*command, "--out", options->out,
              "The new file (default: NAME.recovered.db beside the database)")
        ->needs(recover);
    command->add_flag("--json", options->json, "Print the result as JSON");
    options->database.addTo(*command);
    command->callback(
        [options, &invocation] { invocation.action = [options] { return work(*options); }; });
}

} // namespace ep::app
