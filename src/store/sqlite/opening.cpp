// SPDX-License-Identifier: GPL-3.0-or-later
#include "sqlite/opening.h"

#include "sqlite/description_locks.h"
#include "sqlite/file_access.h"
#include "sqlite/schema.h"

#include "ep/core/stop_request.h"
#include "ep/core/uuid.h"
#include "ep/store/store_files.h"

#include <chrono>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace ep::store {

namespace fs = std::filesystem;

namespace {

using DatabasePtr = std::unique_ptr<Database>;

// Allows incremental vacuum. Must be set before the first table; setting it later would write to
// the file at each start.
constexpr const char* kNewFileSettings = "PRAGMA auto_vacuum = INCREMENTAL";

// Every commit is synced to the disk: one commit per second is cheap compared with running a
// model. The log is truncated after a large run.
constexpr const char* kWriterSettings = "PRAGMA synchronous = FULL;"
                                        "PRAGMA journal_size_limit = 4194304;"
                                        "PRAGMA foreign_keys = ON;";

constexpr const char* kOpening = "open the database";

// Another program may still have a previous file at this path open, whose log lies next to this
// one. That program puts the log away as soon as it notices.
Status waitForOldLog(const fs::path& file)
{
    constexpr std::chrono::milliseconds kPause{10};
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(3);
    while (hasLogOfAnother(file)) {
        Database::putAwayOld(file);
        if (std::chrono::steady_clock::now() > deadline || stopIsDue()) {
            return Error{ErrorCode::Io,
                         {"%1 was replaced while another program has the earlier file open; close "
                          "that program, then try again.",
                          file.string()}};
        }
        std::this_thread::sleep_for(kPause);
    }
    return {};
}

Result<DatabasePtr> openAndCheck(const fs::path& file, Database::Access access)
{
    auto database = Database::open(file, access);
    if (!database)
        return database;
    if (const Status free = waitForOldLog(file); !free)
        return free.error();
    if (const Status ours = checkIsOurs(**database); !ours)
        return ours.error();
    return database;
}

// For a file in write-ahead mode that was moved to a file system without support for it. With
// exclusive access SQLite needs no shared memory, so it can merge the log and change the mode.
Status leaveWriteAheadLog(Database& database)
{
    if (const Status alone = database.execute("PRAGMA locking_mode = EXCLUSIVE", kOpening); !alone)
        return alone;
    if (const Status left = database.becomeOneFile(); !left)
        return left;
    return database.execute("PRAGMA locking_mode = NORMAL; SELECT count(*) FROM sqlite_schema",
                            kOpening);
}

bool inWriteAheadMode(Database& database)
{
    const auto found =
        database.queryInteger("SELECT journal_mode = 'wal' FROM pragma_journal_mode", kOpening);
    return found && *found != 0;
}

// Tries a write-ahead log in a separate file, because a failed attempt on the database itself would
// leave it in a mode in which nobody can read it.
bool canWriteAhead(const fs::path& folder)
{
    const fs::path trial = folder / (".energy-profiler-" + makeUuid());
    bool can = false;
    if (const auto database = Database::open(trial, Database::Access::Create)) {
        can = (*database)->execute("PRAGMA journal_mode = WAL; CREATE TABLE trial (x)", kOpening)
            && inWriteAheadMode(**database);
    }
    for (const char* suffix : {"", "-journal", "-wal", "-shm"}) {
        std::error_code ignored;
        fs::remove(trial.string() + suffix, ignored);
    }
    return can;
}

// With a write-ahead log, readers and a writer do not block each other. If processes cannot share
// memory (some network and virtual disks), the rollback journal, which works without it, is kept.
Status chooseJournal(Database& database)
{
    if (inWriteAheadMode(database) || !canWriteAhead(folderOf(database.file())))
        return {};
    // SQLite reads the file before it locks it for this change, and it never waits for a lock
    // while it holds one. The lock's owner is most likely opening the same new file.
    constexpr std::chrono::milliseconds kPause{5};
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    while (true) {
        Status changed = database.execute("PRAGMA journal_mode = WAL", kOpening);
        if (changed || !database.isBusy() || stopIsDue()
            || std::chrono::steady_clock::now() > deadline)
            return changed;
        std::this_thread::sleep_for(kPause);
    }
}

// Opens for writing, in any mode that the file system supports.
Result<DatabasePtr> openToWrite(const fs::path& file)
{
    auto database = Database::open(file, Database::Access::Create);
    if (!database)
        return database;
    if (const Status free = waitForOldLog(file); !free)
        return free.error();
    Status ours = checkIsOurs(**database);
    if (!ours && (*database)->lacksSharedMemory()) {
        // A connection that has opened a log cannot leave that mode.
        database = Database::open(file, Database::Access::ReadWrite);
        if (!database)
            return database;
        if (leaveWriteAheadLog(**database))
            ours = checkIsOurs(**database);
    }
    if (!ours && (*database)->lacksSpace()) {
        // Reading and deleting must work on a full disk. With exclusive access, the log needs no
        // shared memory, whose file could not be created.
        database = Database::open(file, Database::Access::ReadWrite);
        if (!database)
            return database;
        if ((*database)->execute("PRAGMA locking_mode = EXCLUSIVE", kOpening))
            ours = checkIsOurs(**database);
    }
    if (!ours)
        return ours.error();
    return database;
}

} // namespace

Result<DatabasePtr> openForWriting(const fs::path& file)
{
    if (mayExist(file)) {
        if (const Status readable = checkReadable(file); !readable)
            return readable.error();
        if (const Status writable = checkWritable(file); !writable)
            return writable.error();
    }
    auto database = openToWrite(file);
    if (!database)
        return database;
    if (const Status known = checkNotNewer(**database, migrations()); !known)
        return known.error();
    const auto version = versionOf(**database);
    if (!version)
        return version.error();
    if (*version == 0) {
        if (const Status set = (*database)->execute(kNewFileSettings, kOpening); !set)
            return set.error();
    }
    if (const Status chosen = chooseJournal(**database); !chosen)
        return chosen.error();
    if (const Status set = (*database)->execute(kWriterSettings, kOpening); !set)
        return set.error();
    if (const Status migrated = migrate(**database, migrations()); !migrated)
        return migrated.error();
    (*database)->watch([file] { return openForWriting(file); });
    return database;
}

Result<DatabasePtr> openForReading(const fs::path& file)
{
    if (!mayExist(file)) {
        return Error{
            ErrorCode::NotFound,
            {"There is no run database at %1; record a run first, or name another file with --db.",
             file.string()}};
    }
    if (const Status readable = checkReadable(file); !readable)
        return readable.error();
    auto database = openAndCheck(file, Database::Access::ReadOnly);
    // In a folder of another owner, SQLite cannot create its helper files. A process with write
    // access leaves a log while it runs.
    if (!database && !checkWritable(file)) {
        const fs::path log = file.string() + "-wal";
        std::error_code ignored;
        const bool hasLog = fs::exists(log, ignored) && fs::file_size(log, ignored) > 0;
        const auto access = hasLog ? Database::Access::WithLog : Database::Access::Immutable;
        if (auto fixed = openAndCheck(file, access))
            database = std::move(fixed);
    }
    if (!database)
        return database;
    const auto version = versionOf(**database);
    if (!version)
        return version.error();
    if (*version == 0) {
        return Error{
            ErrorCode::NotFound,
            {"%1 is empty; record a run first, or choose another file with --db.", file.string()}};
    }
    if (*version < migrations().back().version) {
        return Error{ErrorCode::NotFound,
                     {"%1 has an old format; open it once for writing (record a run, or open the "
                      "window) to update it.",
                      file.string()}};
    }
    (*database)->watch([file] { return openForReading(file); });
    return database;
}

Error aboutAnother(const Error& error)
{
    std::string text = error.message.pattern();
    const std::vector<Message>& parts = error.message.arguments();
    if (const std::size_t at = text.find("; restore a backup"); at != std::string::npos) {
        return {error.code, {"%1; get another copy of it.", Message(text.substr(0, at), parts)}};
    }
    constexpr std::pair<std::string_view, std::string_view> kInstead[] = {
        {"record a run first, or ", ""},
        {"name another file with --db", "choose another file"},
        {"name a database file with --db", "choose another file"},
        {"choose another file with --db", "choose another file"}};
    for (const auto& [ours, theirs] : kInstead) {
        if (const std::size_t at = text.find(ours); at != std::string::npos)
            text.replace(at, ours.size(), theirs);
    }
    return {error.code, Message(std::move(text), parts)};
}

DatabaseDraft::DatabaseDraft(const fs::path& target)
    : m_target(target)
    , m_file(target.string() + ".part-" + makeUuid().substr(0, 8))
{
}

DatabaseDraft::~DatabaseDraft()
{
    for (const char* suffix : {"", "-journal", "-wal", "-shm"}) {
        std::error_code ignored;
        fs::remove(m_file.string() + suffix, ignored);
    }
}

Status DatabaseDraft::putInPlace(const std::string& option) const
{
    std::error_code failed;
    fs::rename(m_file, m_target, failed);
    if (!failed)
        return {};
    return Error{ErrorCode::Io,
                 {"Cannot write %1: %2; choose another file with %3.", m_target.string(),
                  failed.message(), option}};
}

} // namespace ep::store
