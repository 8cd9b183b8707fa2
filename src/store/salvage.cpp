// SPDX-License-Identifier: GPL-3.0-or-later
#include "salvage.h"

#include "salvage_rows.h"
#include "sqlite/database_draft.h"
#include "sqlite/opening.h"
#include "sqlite/schema.h"
#include "sqlite/statement.h"
#include "tables/run_table.h"

#include <set>
#include <system_error>
#include <utility>

namespace ep::store {

namespace fs = std::filesystem;

namespace {

struct Reference {
    std::string table;
    std::string column;
    std::string parent;
    std::string key;
};

Result<std::vector<Reference>> referencesOf(Database& database)
{
    Statement query = database.prepare(
        "SELECT t.name, f.\"from\", f.\"table\", coalesce(f.\"to\", 'id') FROM sqlite_schema t, "
        "pragma_foreign_key_list(t.name) f WHERE t.type = 'table'",
        kSalvaging);
    std::vector<Reference> references;
    const Status done = query.forEachRow([&](Statement& row) {
        Reference& one = references.emplace_back();
        row.get(one.table, one.column, one.parent, one.key);
    });
    if (!done)
        return done.error();
    return references;
}

// Removes rows whose run, token or pack is missing, since they cannot be shown. Counts the runs of
// which nothing else is left.
Status removeFragments(Database& database, SalvageReport& report)
{
    const auto references = referencesOf(database);
    if (!references)
        return references.error();
    Transaction transaction(database);
    if (const Status begun = transaction.begin(kSalvaging); !begun)
        return begun;
    std::set<std::string> lost;
    for (bool again = true; again;) {
        again = false;
        for (const Reference& one : *references) {
            Statement erase = database.prepare(
                "DELETE FROM \"" + one.table + "\" WHERE \"" + one.column + "\" IS NOT NULL AND \""
                    + one.column + "\" NOT IN (SELECT \"" + one.key + "\" FROM \"" + one.parent
                    + "\" WHERE \"" + one.key + "\" IS NOT NULL) RETURNING CAST(\"" + one.column
                    + "\" AS TEXT)",
                kSalvaging);
            const Status done = erase.forEachRow([&](Statement& row) {
                std::string id;
                row.take(id);
                if (one.parent == "profiling_runs")
                    lost.insert(std::move(id));
                ++report.lost_rows;
                again = true;
            });
            if (!done)
                return done;
        }
    }
    report.lost += static_cast<std::int64_t>(lost.size());
    return transaction.commit(kSalvaging);
}

Status note(Database& database, const std::string& id)
{
    Statement update = database.prepare(
        "UPDATE profiling_runs SET status = 'interrupted', status_message = 'The database was "
        "damaged, and a part of this run is lost.' WHERE id = ?",
        kSalvaging);
    return update.bind(id).run();
}

// Makes sure that every run can be opened, and says if it lacks something.
Status checkRuns(Database& database, SalvageReport& report)
{
    Transaction transaction(database);
    if (const Status begun = transaction.begin(kSalvaging); !begun)
        return begun;
    std::vector<std::pair<std::string, bool>> runs; // ids, and whether tokens are missing
    {
        Statement query = database.prepare(
            "SELECT r.id, r.output_tokens > 0 AND count(t.id) < 1 + coalesce(max(t.token_index) - "
            "min(t.token_index), 0) FROM profiling_runs r LEFT JOIN tokens t ON t.run_id = r.id "
            "GROUP BY r.id",
            kSalvaging);
        const Status done = query.forEachRow([&](Statement& row) {
            auto& [id, lacks] = runs.emplace_back();
            row.get(id, lacks);
        });
        if (!done)
            return done;
    }
    for (const auto& [id, lacksTokens] : runs) {
        const bool readable = readRun(database, id).has_value();
        if (!readable) { // keeps its summary and tokens
            Statement erase = database.prepare("DELETE FROM packs WHERE run_id = ?1 OR token_id IN "
                                               "(SELECT id FROM tokens WHERE run_id = ?1)",
                                               kSalvaging);
            if (const Status done = erase.bind(id).run(); !done)
                return done;
        }
        if (readable && !lacksTokens) {
            ++report.saved;
            continue;
        }
        report.partly.push_back(id);
        if (const Status noted = note(database, id); !noted)
            return noted;
    }
    return transaction.commit(kSalvaging);
}

} // namespace

Result<SalvageReport> salvage(const fs::path& damaged, const fs::path& target)
{
    std::error_code ignored;
    if (fs::exists(target, ignored)) {
        return Error{ErrorCode::InvalidInput,
                     {"%1 exists already; name another file with --out.", target.string()}};
    }
    auto source = Database::open(damaged, Database::Access::ReadWrite);
    if (!source)
        source = Database::open(damaged, Database::Access::ReadOnly);
    if (!source)
        return source.error();
    // Brings over what is only in the log.
    static_cast<void>((*source)->execute("PRAGMA wal_checkpoint(TRUNCATE)", kSalvaging));
    SalvageReport report{.file = target};
    const DatabaseDraft draft(target);
    {
        auto fresh = Database::open(draft.file(), Database::Access::Create);
        if (!fresh)
            return fresh.error();
        if (const Status done = salvageRows(**source, **fresh, migrations(), report); !done)
            return Error{done.error().code, {"%1: %2", damaged.string(), done.error().message}};
        if (const Status done = removeFragments(**fresh, report); !done)
            return done.error();
    }
    {
        auto fresh = openForWriting(draft.file()); // updates its schema
        if (!fresh)
            return fresh.error();
        if (const Status done = checkRuns(**fresh, report); !done)
            return done.error();
        if (const Status done = (*fresh)->becomeOneFile(); !done)
            return done.error();
    }
    if (const Status put = draft.putInPlace("--out"); !put)
        return put.error();
    return report;
}

Status keepChangeOfDamaged(Database& database, const std::string& doing,
                           const std::function<Status()>& change, const Error& problem)
{
    const fs::path damaged = database.file();
    // The connection itself may be the problem: a new one sees the file as it is.
    if (database.openAfresh()) {
        const auto sound =
            database.queryInteger("SELECT quick_check = 'ok' FROM pragma_quick_check(1)", doing);
        if (sound && *sound == 1)
            return change();
    }
    const fs::path target = recoveredFile(damaged);
    Message contents = "by an earlier command";
    std::error_code ignored;
    if (!fs::exists(target, ignored)) {
        const auto report = salvage(damaged, target);
        if (!report)
            return Error{problem.code, {"%1 %2", problem.message, report.error().message}};
        contents = report->sentence();
    }
    if (const Status moved = database.moveTo(target, [target] { return openForWriting(target); });
        !moved)
        return moved;
    if (const Status kept = change(); !kept)
        return Error{problem.code,
                     {"Cannot %1 in %2: the file is damaged. %3 has what could be read of it (%4), "
                      "but not this change: %5",
                      doing, damaged.string(), target.string(), contents, kept.error().message}};
    return Error{
        problem.code,
        {"Cannot %1 in %2: the file is damaged. %3 has what could be read of it (%4), and this "
         "change. Use it with --db, or restore a backup with \"energy-profiler runs restore\".",
         doing, damaged.string(), target.string(), contents}};
}

} // namespace ep::store
