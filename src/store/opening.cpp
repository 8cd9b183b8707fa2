// SPDX-License-Identifier: GPL-3.0-or-later
#include "opening.h"

#include "file_access.h"
#include "schema.h"

namespace ep::store {

namespace fs = std::filesystem;

namespace {

using DatabasePtr = std::unique_ptr<Database>;

// Lets a vacuum give room back bit by bit. Can only be chosen before the first table; setting it
// later would write to the file at each start.
constexpr const char* kNewFileSettings = "PRAGMA auto_vacuum = INCREMENTAL";

// Every commit reaches the disk; a commit each second costs nothing next to a model. The log
// shrinks again after a large run.
constexpr const char* kWriterSettings = "PRAGMA journal_mode = WAL;"
                                        "PRAGMA synchronous = FULL;"
                                        "PRAGMA journal_size_limit = 4194304;"
                                        "PRAGMA foreign_keys = ON;";

Result<DatabasePtr> openAndCheck(const fs::path& file, Database::Access access)
{
    auto database = Database::open(file, access);
    if (!database)
        return database;
    if (const Status ours = checkIsOurs(**database); !ours)
        return ours.error();
    return database;
}

} // namespace

Result<DatabasePtr> openForWriting(const fs::path& file)
{
    if (const Status looks = checkLooksLikeDatabase(file); !looks)
        return looks.error();
    if (const Status writable = checkWritable(file); !writable)
        return writable.error();
    auto database = openAndCheck(file, Database::Access::ReadWrite);
    if (!database)
        return database;
    if (const Status known = checkNotNewer(**database, migrations()); !known)
        return known.error();
    const auto version = versionOf(**database);
    if (!version)
        return version.error();
    const std::string doing = "open the database";
    if (*version == 0) {
        if (const Status set = (*database)->execute(kNewFileSettings, doing); !set)
            return set.error();
    }
    if (const Status set = (*database)->execute(kWriterSettings, doing); !set)
        return set.error();
    if (const Status migrated = migrate(**database, migrations()); !migrated)
        return migrated.error();
    return database;
}

Result<DatabasePtr> openForReading(const fs::path& file, OlderVersions older)
{
    if (!fs::exists(file)) {
        return Error{ErrorCode::NotFound,
                     "There is no run database at " + file.string()
                         + "; record a run first, or name another file with --db."};
    }
    if (const Status looks = checkLooksLikeDatabase(file); !looks)
        return looks.error();
    auto database = openAndCheck(file, Database::Access::ReadOnly);
    if (!database && database.error().code == ErrorCode::Io
        && !fs::exists(file.string() + "-wal")) {
        // In a folder that is not ours SQLite cannot put its helper files; nobody writes there.
        if (auto fixed = openAndCheck(file, Database::Access::Immutable))
            database = std::move(fixed);
    }
    if (!database)
        return database;
    const auto version = versionOf(**database);
    if (!version)
        return version.error();
    const bool tooOld = older == OlderVersions::Refuse || *version == 0;
    if (*version < migrations().back().version && tooOld) {
        return Error{ErrorCode::NotFound,
                     file.string()
                         + " holds no runs in the present form; open it once for writing (record "
                           "a run, or open the window) to bring it up to date."};
    }
    return database;
}

} // namespace ep::store
