// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/core/result.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

struct sqlite3;
struct sqlite3_file;
struct sqlite3_stmt;

namespace ep::store {

struct CloseDatabase {
    void operator()(sqlite3* handle) const;
};
struct FinalizeStatement {
    void operator()(sqlite3_stmt* handle) const;
};
using DatabaseHandle = std::unique_ptr<sqlite3, CloseDatabase>;
using StatementHandle = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

class Statement;

// Operations named in error messages.
inline constexpr const char* kReadingRun = "read the run";
inline constexpr const char* kSavingRun = "save the run";

// How long a connection waits for another one: long enough to finish writing a large run.
inline constexpr std::chrono::milliseconds kPatience{15'000};

// Whether the files at a path are still those that a connection has open.
enum class Place {
    Same,
    Gone, // the database was moved or deleted
    Replaced, // another file has taken its place
    LogReplaced, // its log or shared memory was deleted or replaced: writes would be lost
};

// One connection. One thread at a time. Errors name the file, SQLite's message and what to do.
//
// Each statement, transaction or Reading first compares the files at the path with the open ones,
// and opens the path again if they differ.
class Database {
public:
    enum class Access {
        Create, // created if absent, including parent folders; readable only by its owner (0600)
        ReadWrite, // the file must exist
        ReadOnly,
        Immutable, // read-only, in a folder where SQLite cannot create its helper files
        WithLog, // read-only, with a log left there; the log's index is kept in memory
        InMemory, // a database without a file, for comparisons
    };
    // The one place where the program opens a database file. POSIX drops all locks of a process on
    // a file as soon as that process closes any descriptor of that file. Where the system has no
    // other locks (see description_locks.h) nothing may open such a file outside of SQLite, not
    // even to read its first bytes: SQLite knows its own descriptors and closes none of them too
    // early.
    //
    // Closing a connection never deletes the log. The last user of a database puts its log into it,
    // so that a file at rest is complete and its log is empty.
    static Result<std::unique_ptr<Database>> open(const std::filesystem::path& file, Access access);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    const std::filesystem::path& file() const { return m_file; }

    // One or more statements without parameters. `doing` completes "Cannot ...": "save the run".
    Status execute(const std::string& sql, const std::string& doing);
    // Compiled once per text; a text must not be used twice at the same time.
    Statement prepare(const std::string& sql, const std::string& doing);
    // The first column of the first row of a query without parameters.
    Result<std::int64_t> queryInteger(const std::string& sql, const std::string& doing);

    bool hasHeader(); // has an SQLite header; an empty file will get one
    // The connection's last error, or its file system, shows that processes cannot share memory
    // there, which SQLite's write-ahead log needs.
    bool lacksSharedMemory() const;
    bool hasChanged() const; // whether this connection has written anything since it was opened
    bool lacksSpace() const { return m_full; } // the last use failed because the disk is full
    bool isDamaged() const { return m_damaged; } // a call found the file malformed
    bool isBusy() const; // the last call failed because another connection has the lock
    // From now on the files are watched; `reopen` opens the files that have replaced them.
    using Reopen = std::function<Result<std::unique_ptr<Database>>()>;
    void watch(Reopen reopen);
    Place place() const;
    // An error if other files are at the path by now.
    Status checkPlace(const std::string& doing) const;
    // Call after a commit, before it is acknowledged: an error if it went into files that are no
    // longer at the path.
    Status confirmPlace(const std::string& doing);
    // Call before opening a path: idle connections of this process to another file that was there
    // before close and put away their log.
    static void putAwayOld(const std::filesystem::path& file);
    // Opens the path again although nothing was replaced. Not allowed during a use.
    Status openAfresh();
    // From now on the connection belongs to another file.
    Status moveTo(const std::filesystem::path& file, Reopen reopen);
    // How often the path was opened again.
    int generation() const { return m_generation; }

    // Copies the whole database in its current state into a new file (0600).
    Status copyTo(const std::filesystem::path& target);
    // Changes from a write-ahead log to a rollback journal, so that the database is one file. For
    // files that nobody else uses yet.
    Status becomeOneFile();

    // Bytes of the file as they are, even if damaged; nothing beyond its end.
    std::optional<std::string> rawBytes(std::uint64_t offset, std::size_t size) const;
    std::uint64_t rawSize() const;

    // From now on, every statement fails with Cancelled as soon as the flag is set; null ends
    // this. The flag must live until then.
    void setCancel(const CancelToken* cancel);

    // The error of this connection's last call as a sentence.
    Error lastError(const std::string& doing) const;

private:
    friend class DatabaseUse;
    friend class Statement;
    struct FileId {
        std::uint64_t device = 0;
        std::uint64_t inode = 0;
        bool operator==(const FileId&) const = default;
    };
    static std::optional<FileId> idOf(const std::filesystem::path& file);
    // The id of the file that this connection opened under the name, even if another file has
    // replaced it.
    std::optional<FileId> idAtOpening(const std::filesystem::path& file) const;

    Database(DatabaseHandle handle, std::filesystem::path file, bool writing,
             std::uint64_t openedBefore);

    void setUp();
    sqlite3_file* openFile() const;
    sqlite3_stmt* compiled(const std::string& sql);

    // Begins and ends a use, see above.
    Status use();
    void endUse();
    // Closes the connection and all others of this process to the same file (which reopen it when
    // used), and opens whatever is at the path now.
    Status openAgain(Place place);
    bool closeOthers();
    Status emptyOldLog();
    bool rescueDeletedLog(); // true: the file now holds all of the log

    void boundLog(int pages);
    void emptyLogIfAlone();

    std::filesystem::path m_file;
    const bool m_writing;
    const std::uint64_t m_openedBefore; // see openedSince()
    Reopen m_reopen;
    int m_generation = 0;
    mutable bool m_damaged = false;
    mutable bool m_full = false;
    std::int64_t m_written_ns = 0; // last write time of the file while its log was in place

    // Guards the members below, which other threads access when they open the path again.
    mutable std::mutex m_mutex;
    std::array<std::filesystem::path, 3> m_paths; // database, log and shared memory, resolved
    std::array<std::optional<FileId>, 3> m_ids;
    int m_uses = 0;
    DatabaseHandle m_handle; // null after another connection has closed it
    std::unordered_map<std::string, StatementHandle> m_statements; // destroyed before m_handle
};

// One use of a connection; uses may be nested.
class DatabaseUse {
public:
    explicit DatabaseUse(Database& database)
        : m_database(database)
        , m_status(database.use())
    {
    }
    ~DatabaseUse()
    {
        if (m_status)
            m_database.endUse();
    }
    DatabaseUse(const DatabaseUse&) = delete;
    DatabaseUse& operator=(const DatabaseUse&) = delete;

    const Status& status() const { return m_status; }

private:
    Database& m_database;
    Status m_status;
};

// Rolls back unless committed.
class Transaction {
public:
    explicit Transaction(Database& database)
        : m_database(database)
    {
    }
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;

    // Takes the write lock immediately, so that a later statement cannot fail to get it.
    Status begin(const std::string& doing);
    // Fails if the files were replaced since begin().
    Status commit(const std::string& doing);

private:
    Database& m_database;
    std::optional<DatabaseUse> m_use;
    bool m_open = false;
};

// Sees one state of the database during its lifetime, and can be interrupted from another thread.
// Takes no write lock.
class Reading {
public:
    Reading(Database& database, CancelToken cancel)
        : m_database(database)
        , m_cancel(std::move(cancel))
    {
    }
    ~Reading();
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;

    Status begin(const std::string& doing);

private:
    Database& m_database;
    CancelToken m_cancel;
    std::optional<DatabaseUse> m_use;
    bool m_open = false;
};

} // namespace ep::store
