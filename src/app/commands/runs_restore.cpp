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
        printAsJson(Json({{"database", database.string()}, {"backups", std::move(found)}}));
        return kExitDone;
    }
    if (backups.empty()) {
        print("There is no backup of " + database.string() + " yet\n");
        return kExitDone;
    }
    TextTable table({{"backup"}, {"written"}, {"size", TextTable::Align::Right}});
    for (const store::Backup& one : backups)
        table.addRow({one.file.string(), localTime(one.written_ms), formatBytes(one.bytes)});
    print(table.toString());
    return kExitDone;
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
    const auto aside = store::restoreBackup(database, backup);
    if (!aside)
        return fail(aside.error());
    if (options.json) {
        printAsJson(Json({{"restored", backup.string()}, {"before", aside->string()}}));
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
        printAsJson(Json({{"out", target.string()},
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
