// SPDX-License-Identifier: GPL-3.0-or-later
// Restores backups of the database, and recovers the rest of a damaged one.
#include "exit_status.h"
#include "run_text.h"
#include "runs_options.h"
#include "terminal.h"
#include "text_table.h"

#include "ep/core/format.h"
#include "ep/store/store_files.h"

#include <nlohmann/json.hpp>

#include <iostream>
#include <optional>
#include <unistd.h>

namespace ep::app {

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

int list(const fs::path& database, bool json)
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
    const auto store = store::Store::openToRead(database);
    const auto runs = store ? (*store)->list() : Result<std::vector<RunSummary>>(store.error());
    if (!runs)
        return text + "cannot be read";
    text += std::to_string(runs->size()) + (runs->size() == 1 ? " run" : " runs");
    return runs->empty() ? text
                         : text + ", the newest of " + utcTime(runs->front().info.created_at_ms);
}

// Shows what would be exchanged, and asks. Absent: there is nobody to ask.
std::optional<bool> agreed(const fs::path& database, const fs::path& backup)
{
    if (::isatty(STDIN_FILENO) != 1 || ::isatty(STDERR_FILENO) != 1)
        return std::nullopt;
    std::cerr << "Replace  " << contentOf(database) << "\nby       " << contentOf(backup)
              << "\nThe first is kept beside it. Replace it? [y/N] " << std::flush;
    std::string answer;
    std::getline(std::cin, answer);
    return answer == "y" || answer == "Y" || answer == "yes";
}

int restore(const RunsOptions& options)
{
    const fs::path database = options.database.path();
    if (options.list)
        return list(database, options.json);
    fs::path backup = options.file;
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
            return failUsage("This would replace " + contentOf(database) + ", by "
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

int recover(const RunsOptions& options)
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

} // namespace

void addRestoreCommands(RunsCommands& commands)
{
    const auto [restoring, restoreOptions] = commands.add(
        "restore", "Put a backup in the place of the database, which is kept beside it", restore);
    restoring->add_flag("--list", restoreOptions->list, "Only list the backups, newest first");
    restoring
        ->add_option("--backup", restoreOptions->file,
                     "The backup, or any copy of a run database (default: the newest)")
        ->type_name("FILE");
    restoring->add_flag("--yes", restoreOptions->yes, "Do not ask before the database is replaced");
    restoring->add_flag("--json", restoreOptions->json, "Print what was done as JSON");

    const auto [recovering, recoverOptions] = commands.add(
        "recover", "Write what can be read of a damaged database into a new file beside it",
        recover);
    recovering
        ->add_option("--out", recoverOptions->out,
                     "The new file (default: NAME.recovered.db beside the database)")
        ->type_name("FILE");
    recovering->add_flag("--json", recoverOptions->json, "Print what was saved as JSON");
}

} // namespace ep::app
