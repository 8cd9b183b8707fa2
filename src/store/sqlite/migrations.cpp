// SPDX-License-Identifier: GPL-3.0-or-later
#include "sqlite/migrations.h"

#include "sqlite/statement.h"

#include "ep/core/safe_text.h"

#include <sqlite3.h>

#include <regex>
#include <set>
#include <tuple>

namespace ep::store {

namespace {

constexpr const char* kReading = "read the version of the database";

// Uses a separate connection, since SQLite cannot copy through one that is writing.
Status backUp(const std::filesystem::path& file, std::int64_t version)
{
    auto database = Database::open(file, Database::Access::ReadOnly);
    if (!database)
        return database.error();
    const std::filesystem::path wanted = file.string() + ".v" + std::to_string(version) + ".bak";
    std::filesystem::path target = wanted;
    // Never replaces an earlier backup, which may be the good one.
    for (int i = 2; std::filesystem::exists(target); ++i)
        target = wanted.string() + "." + std::to_string(i);
    return (*database)->copyTo(target);
}

constexpr const char* kReadingSchema = "read the schema";
using SchemaObject = std::tuple<std::string, std::string, std::string>; // type, name, text

Result<std::set<SchemaObject>> schemaObjects(Database& database, const std::string& condition)
{
    std::set<SchemaObject> objects;
    Statement query = database.prepare(
        "SELECT type, name, coalesce(sql, '') FROM sqlite_schema WHERE " + condition,
        kReadingSchema);
    const Status done = query.forEachRow([&](Statement& row) {
        std::string type;
        std::string name;
        std::string sql;
        row.get(type, name, sql);
        objects.emplace(std::move(type), std::move(name), std::move(sql));
    });
    if (!done)
        return done.error();
    return objects;
}

} // namespace

Result<std::int64_t> versionOf(Database& database)
{
    return database.queryInteger("PRAGMA user_version", kReading);
}

Error isEarly(const std::filesystem::path& file)
{
    return {ErrorCode::Unsupported,
            {"%1 was written before version 1 of the run database and was not changed; convert it "
             "with \"python3 scripts/convert_database.py %2\" from the source code, or choose "
             "another file with --db.",
             file.string(), file.string()}};
}

Status checkIsOurs(Database& database)
{
    // Reads the tables first: a process that is creating them sets the id in the same transaction.
    const auto tables = database.queryInteger("SELECT count(*) FROM sqlite_schema", kReading);
    if (!tables)
        return tables.error();
    const auto application = database.queryInteger("PRAGMA application_id", kReading);
    if (!application)
        return application.error();
    const std::string file = database.file().string();
    if (*application == kEarlyApplicationId)
        return isEarly(database.file());
    if (*application != kApplicationId && (*application != 0 || *tables != 0)) {
        return Error{ErrorCode::InvalidInput,
                     {"%1 is a database of another program and was not changed; choose another "
                      "file with --db.",
                      file}};
    }
    const auto version = versionOf(database);
    if (!version)
        return version.error();
    if (*version < 0 || (*version == 0 && *tables > 0)) {
        return Error{ErrorCode::InvalidInput,
                     {"%1 says that it has version %2, which no run database has; restore a copy "
                      "of it, or choose another file with --db.",
                      file, *version}};
    }
    return {};
}

Status checkHasOnlyOurSchema(Database& database, std::span<const Migration> steps)
{
    const auto found =
        schemaObjects(database, "type IN ('view', 'trigger') OR sql LIKE 'CREATE VIRTUAL%'");
    if (!found)
        return found.error();
    const auto version = versionOf(database);
    if (!version)
        return version.error();
    auto model = Database::open(":memory:", Database::Access::InMemory);
    if (!model)
        return model.error();
    std::set<SchemaObject> ours; // objects of all versions
    for (const Migration& step : steps) {
        const Status done =
            (*model)->execute(sqlFor(step, sqlite3_libversion_number()), kReadingSchema);
        if (!done)
            return done;
        auto views = schemaObjects(**model, "type = 'view'");
        if (!views)
            return views.error();
        ours.merge(*views);
    }
    const bool newer = *version > steps.back().version; // may have views that we do not know
    for (const SchemaObject& object : *found) {
        const auto& [type, name, sql] = object;
        if (ours.contains(object) || (newer && type == "view"))
            continue;
        return Error{
            ErrorCode::InvalidInput,
            {type == "table" ? "%1 has a virtual table that no run database has (%2) and was not "
                               "read; remove it, or use a copy of the original file."
                 : type == "view" ? "%1 has a view that no run database has (%2) and was not read; "
                                    "remove it, or use a copy of the original file."
                                  : "%1 has a trigger that no run database has (%2) and was not "
                                    "read; remove it, or use a copy of the original file.",
             database.file().string(), terminalText(name)}};
    }
    return {};
}

Status checkNotNewer(Database& database, std::span<const Migration> steps)
{
    const auto version = versionOf(database);
    if (!version)
        return version.error();
    const int newest = steps.back().version;
    if (*version > newest) {
        return Error{ErrorCode::Unsupported,
                     {"%1 was written by a newer Energy Profiler (schema version %2, this one "
                      "knows up to %3): its runs can be read, but nothing can be saved to it; use "
                      "that version, or choose another file with --db.",
                      database.file().string(), *version, newest}};
    }
    return {};
}

std::string sqlFor(const Migration& step, int sqliteVersion)
{
    constexpr int kFirstWithStrict = 3'037'000;
    std::string sql = step.sql;
    if (sqliteVersion >= kFirstWithStrict)
        return sql;
    static const std::regex strict(R"(\) STRICT(,)?)");
    return std::regex_replace(sql, strict, ")");
}

Status migrate(Database& database, std::span<const Migration> steps)
{
    const std::string doing = "set up the run database";
    const auto before = versionOf(database);
    if (!before)
        return before.error();
    if (*before == steps.back().version)
        return {};
    Transaction transaction(database);
    if (const Status begun = transaction.begin(doing); !begun)
        return begun;
    // Another process may have migrated the database while this one waited for the lock.
    const auto version = versionOf(database);
    if (!version)
        return version.error();
    if (*version >= steps.back().version)
        return checkNotNewer(database, steps);
    if (*version > 0) {
        if (const Status copied = backUp(database.file(), *version); !copied)
            return copied;
    }
    for (const Migration& step : steps) {
        if (step.version <= *version)
            continue;
        if (const Status done = database.execute(sqlFor(step, sqlite3_libversion_number()), doing);
            !done)
            return done;
        if (step.convert) {
            if (const Status done = step.convert(database); !done)
                return done;
        }
    }
    const std::string marks = "PRAGMA application_id = " + std::to_string(kApplicationId)
        + "; PRAGMA user_version = " + std::to_string(steps.back().version);
    if (const Status marked = database.execute(marks, doing); !marked)
        return marked;
    return transaction.commit(doing);
}

} // namespace ep::store
