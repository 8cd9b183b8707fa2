// SPDX-License-Identifier: GPL-3.0-or-later
#include "salvage.h"

#include "sqlite/database_draft.h"
#include "sqlite/migrations.h"
#include "sqlite/opening.h"
#include "sqlite/raw_pages.h"
#include "sqlite/schema.h"
#include "sqlite/statement.h"
#include "tables/run_table.h"

#include <sqlite3.h>

#include <map>
#include <set>
#include <system_error>
#include <utility>

namespace ep::store {

namespace fs = std::filesystem;

namespace {

constexpr const char* kSalvaging = "save what is in the damaged database";

struct Column {
    std::string name;
    std::string type;
    bool not_null = false;
    bool is_rowid = false; // an alias: stored as NULL
};

struct Table {
    std::string name;
    bool has_rowid = true;
    std::vector<Column> columns; // in the order of the record

    bool fits(const RawRow& row) const
    {
        if (row.values.empty() || row.values.size() > columns.size())
            return false;
        for (std::size_t i = 0; i < row.values.size(); ++i) {
            if (!fits(columns[i], row.values[i]))
                return false;
        }
        return true;
    }

private:
    static bool fits(const Column& column, const RawValue& value)
    {
        if (std::holds_alternative<std::nullptr_t>(value))
            return !column.not_null || column.is_rowid;
        if (column.is_rowid)
            return false;
        if (column.type == "TEXT")
            return std::holds_alternative<std::string>(value);
        if (column.type == "BLOB")
            return std::holds_alternative<RawBlob>(value);
        const bool integer = std::holds_alternative<std::int64_t>(value);
        return integer || (column.type == "REAL" && std::holds_alternative<double>(value));
    }
};

Result<std::vector<Table>> tablesOf(Database& database)
{
    std::vector<Table> tables;
    {
        Statement query = database.prepare(
            "SELECT name, sql LIKE '%WITHOUT ROWID' FROM sqlite_schema WHERE type = 'table' "
            "AND name NOT LIKE 'sqlite_%'",
            kSalvaging);
        const Status done = query.forEachRow([&](Statement& row) {
            bool withoutRowid = false;
            row.get(tables.emplace_back().name, withoutRowid);
            tables.back().has_rowid = !withoutRowid;
        });
        if (!done)
            return done.error();
    }
    for (Table& table : tables) {
        // Virtual columns (hidden = 2) are not stored. Without row ids, the key comes first.
        Statement query = database.prepare(
            "SELECT name, type, \"notnull\", pk FROM pragma_table_xinfo('" + table.name
                + "') WHERE hidden <> 2 ORDER BY "
                + (table.has_rowid ? "cid" : "CASE pk WHEN 0 THEN 1 ELSE 0 END, pk, cid"),
            kSalvaging);
        int keys = 0;
        const Status done = query.forEachRow([&](Statement& row) {
            Column& column = table.columns.emplace_back();
            int key = 0;
            row.get(column.name, column.type, column.not_null, key);
            column.is_rowid = table.has_rowid && key > 0 && column.type == "INTEGER";
            keys += key > 0 ? 1 : 0;
        });
        if (!done)
            return done.error();
        if (keys > 1) {
            for (Column& column : table.columns)
                column.is_rowid = false;
        }
    }
    return tables;
}

class Salvage {
public:
    Salvage(Database& damaged, Database& fresh)
        : m_file(damaged.file())
        , m_pages(damaged)
        , m_fresh(fresh)
    {
    }

    Status run(std::span<const Migration> steps, SalvageReport& report)
    {
        if (!m_pages.isReadable() || m_pages.pages() == 0) {
            return Error{ErrorCode::InvalidInput,
                         "Nothing in it can be read; restore a backup with \"energy-profiler runs "
                         "restore\"."};
        }
        if (m_pages.application() == kEarlyApplicationId)
            return isEarly(m_file);
        if (const Status made = makeSchema(steps); !made)
            return made;
        auto tables = tablesOf(m_fresh);
        if (!tables)
            return tables.error();
        m_tables = *std::move(tables);
        Transaction transaction(m_fresh);
        if (const Status begun = transaction.begin(kSalvaging); !begun)
            return begun;
        copyTrees();
        copyLostLeaves();
        if (const Status committed = transaction.commit(kSalvaging); !committed)
            return committed;
        report.lost_rows = m_lost;
        report.unreadable_pages = m_pages.damagedPages();
        return {};
    }

private:
    // The tables of the version that the file has, so that its rows fit.
    Status makeSchema(std::span<const Migration> steps)
    {
        const int newest = steps.back().version;
        const int version =
            m_pages.version() > 0 && m_pages.version() <= newest ? m_pages.version() : newest;
        std::string sql = "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA foreign_keys = OFF; BEGIN;";
        for (const Migration& step : steps) {
            if (step.version <= version)
                sql += sqlFor(step, sqlite3_libversion_number());
        }
        sql += "; PRAGMA application_id = " + std::to_string(kApplicationId)
            + "; PRAGMA user_version = " + std::to_string(version) + "; COMMIT";
        return m_fresh.execute(sql, kSalvaging);
    }

    void copyTrees()
    {
        std::map<std::string, std::uint32_t> roots;
        std::vector<std::uint32_t> indexes; // their pages are not lost, only not needed
        m_pages.readTree(1, [&](RawRow row) {
            constexpr std::size_t kColumns = 5; // type, name, tbl_name, rootpage, sql
            if (row.values.size() != kColumns)
                return;
            const auto* type = std::get_if<std::string>(&row.values[0]);
            const auto* name = std::get_if<std::string>(&row.values[1]);
            const auto* root = std::get_if<std::int64_t>(&row.values[3]);
            if (!type || !name || !root)
                return;
            if (*type == "table")
                roots[*name] = static_cast<std::uint32_t>(*root);
            else if (*type == "index")
                indexes.push_back(static_cast<std::uint32_t>(*root));
        });
        for (const Table& table : m_tables) {
            if (const auto root = roots.find(table.name); root != roots.end())
                m_pages.readTree(root->second, [&](RawRow row) { insert(table, row); });
        }
        for (const std::uint32_t root : indexes)
            m_pages.readTree(root, [](const RawRow&) {});
    }

    // A leaf belongs to the only table whose columns all of its rows fit.
    void copyLostLeaves()
    {
        m_pages.readLostLeaves([&](const std::vector<RawRow>& rows) {
            const Table* owner = nullptr;
            int owners = 0;
            for (const Table& table : m_tables) {
                const bool fits =
                    table.has_rowid
                    && std::all_of(rows.begin(), rows.end(), [&](const RawRow& row) {
                           return row.values.size() == table.columns.size() && table.fits(row);
                       });
                owner = fits ? &table : owner;
                owners += fits ? 1 : 0;
            }
            if (owners != 1) {
                m_lost += static_cast<std::int64_t>(rows.size());
                return;
            }
            for (const RawRow& row : rows)
                insert(*owner, row);
        });
    }

    void insert(const Table& table, const RawRow& row)
    {
        if (!table.fits(row)) {
            ++m_lost;
            return;
        }
        std::string columns = table.has_rowid ? "rowid" : "";
        std::string marks = table.has_rowid ? "?" : "";
        for (std::size_t i = 0; i < row.values.size(); ++i) {
            if (table.columns[i].is_rowid)
                continue;
            columns += (columns.empty() ? "\"" : ", \"") + table.columns[i].name + '"';
            marks += marks.empty() ? "?" : ", ?";
        }
        Statement statement = m_fresh.prepare("INSERT OR IGNORE INTO \"" + table.name + "\" ("
                                                  + columns + ") VALUES (" + marks + ")",
                                              kSalvaging);
        statement.bind();
        if (table.has_rowid)
            statement.append(row.rowid);
        for (std::size_t i = 0; i < row.values.size(); ++i) {
            if (!table.columns[i].is_rowid)
                append(statement, row.values[i]);
        }
        m_lost += statement.run() ? 0 : 1;
    }

    static void append(Statement& statement, const RawValue& value)
    {
        std::visit(
            [&](const auto& plain) {
                if constexpr (std::is_same_v<std::decay_t<decltype(plain)>, RawBlob>)
                    statement.append(Blob{plain.bytes});
                else
                    statement.append(plain);
            },
            value);
    }

    const fs::path m_file;
    RawPages m_pages;
    Database& m_fresh;
    std::vector<Table> m_tables;
    std::int64_t m_lost = 0;
};

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

// Rows whose run, token or pack is gone cannot be shown. Counts the runs of which only these are
// left.
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

// Every run can be opened afterwards, and says if it lacks something.
Status checkRuns(Database& database, SalvageReport& report)
{
    Transaction transaction(database);
    if (const Status begun = transaction.begin(kSalvaging); !begun)
        return begun;
    std::vector<std::pair<std::string, bool>> runs; // id, and whether tokens are missing
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
        if (!readable) { // its summary and tokens stay
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
                     target.string() + " exists already; name another file with --out."};
    }
    auto source = Database::open(damaged, Database::Access::ReadWrite);
    if (!source)
        source = Database::open(damaged, Database::Access::ReadOnly);
    if (!source)
        return source.error();
    // What is only in the log.
    static_cast<void>((*source)->execute("PRAGMA wal_checkpoint(TRUNCATE)", kSalvaging));
    SalvageReport report{.file = target};
    const DatabaseDraft draft(target);
    {
        auto fresh = Database::open(draft.file(), Database::Access::Create);
        if (!fresh)
            return fresh.error();
        if (const Status done = Salvage(**source, **fresh).run(migrations(), report); !done)
            return Error{done.error().code, damaged.string() + ": " + done.error().message};
        if (const Status done = removeFragments(**fresh, report); !done)
            return done.error();
    }
    {
        auto fresh = openForWriting(draft.file()); // updates its version
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
    // The connection may be what is wrong: another one sees the file as it is.
    if (database.openAfresh()) {
        const auto sound =
            database.queryInteger("SELECT quick_check = 'ok' FROM pragma_quick_check(1)", doing);
        if (sound && *sound == 1)
            return change();
    }
    const fs::path target = recoveredFile(damaged);
    std::string contents = "by an earlier command";
    std::error_code ignored;
    if (!fs::exists(target, ignored)) {
        const auto report = salvage(damaged, target);
        if (!report)
            return Error{problem.code, problem.message + " " + report.error().message};
        contents = report->sentence();
    }
    if (const Status moved = database.moveTo(target, [target] { return openForWriting(target); });
        !moved)
        return moved;
    const std::string where = "Cannot " + doing + " in " + damaged.string()
        + ": the file is damaged. " + target.string() + " has what could be read of it ("
        + contents;
    if (const Status kept = change(); !kept)
        return Error{problem.code, where + "), but not this change: " + kept.error().message};
    return Error{problem.code,
                 where
                     + "), and this change. Use it with --db, or restore a backup with "
                       "\"energy-profiler runs restore\"."};
}

} // namespace ep::store
