// SPDX-License-Identifier: GPL-3.0-or-later
#include "salvage_rows.h"

#include "sqlite/raw_pages.h"
#include "sqlite/schema.h"
#include "sqlite/statement.h"

#include <sqlite3.h>

#include <algorithm>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace ep::store {

namespace fs = std::filesystem;

namespace {

struct SalvagedColumn {
    std::string name;
    std::string type;
    bool not_null = false;
    bool is_rowid = false; // alias of the row id, stored as NULL
};

struct SalvagedTable {
    std::string name;
    bool has_rowid = true;
    std::vector<SalvagedColumn> columns; // in the order of the record's values

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
    static bool fits(const SalvagedColumn& column, const RawValue& value)
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

Result<std::vector<SalvagedTable>> salvagedTables(Database& database)
{
    std::vector<SalvagedTable> tables;
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
    for (SalvagedTable& table : tables) {
        // Virtual columns (hidden = 2) are not stored. Without row ids, key columns come first.
        Statement query = database.prepare(
            "SELECT name, type, \"notnull\", pk FROM pragma_table_xinfo('" + table.name
                + "') WHERE hidden <> 2 ORDER BY "
                + (table.has_rowid ? "cid" : "CASE pk WHEN 0 THEN 1 ELSE 0 END, pk, cid"),
            kSalvaging);
        int keys = 0;
        const Status done = query.forEachRow([&](Statement& row) {
            SalvagedColumn& column = table.columns.emplace_back();
            int key = 0;
            row.get(column.name, column.type, column.not_null, key);
            column.is_rowid = table.has_rowid && key > 0 && column.type == "INTEGER";
            keys += key > 0 ? 1 : 0;
        });
        if (!done)
            return done.error();
        if (keys > 1) {
            for (SalvagedColumn& column : table.columns)
                column.is_rowid = false;
        }
    }
    return tables;
}

class RowSalvage {
public:
    RowSalvage(Database& damaged, Database& fresh)
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
        auto tables = salvagedTables(m_fresh);
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
    // Creates the tables of the file's version, so that its rows fit.
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
        std::vector<std::uint32_t> indexes; // their pages are not lost, but not needed either
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
        for (const SalvagedTable& table : m_tables) {
            if (const auto root = roots.find(table.name); root != roots.end())
                m_pages.readTree(root->second, [&](RawRow row) { insert(table, row); });
        }
        for (const std::uint32_t root : indexes)
            m_pages.readTree(root, [](const RawRow&) {});
    }

    // A leaf belongs to the table whose columns all of its rows fit, if there is only one.
    void copyLostLeaves()
    {
        m_pages.readLostLeaves([&](const std::vector<RawRow>& rows) {
            const SalvagedTable* owner = nullptr;
            int owners = 0;
            for (const SalvagedTable& table : m_tables) {
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

    void insert(const SalvagedTable& table, const RawRow& row)
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
    std::vector<SalvagedTable> m_tables;
    std::int64_t m_lost = 0;
};

} // namespace

Status salvageRows(Database& damaged, Database& fresh, std::span<const Migration> steps,
                   SalvageReport& report)
{
    return RowSalvage(damaged, fresh).run(steps, report);
}

} // namespace ep::store
