// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/core/result.h"

#include <chrono>
#include <filesystem>
#include <memory>
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

// The current action, for error messages.
inline constexpr const char* kReadingRun = "read the run";
inline constexpr const char* kSavingRun = "save the run";

// How long a connection waits for another one: long enough to finish writing a large run.
inline constexpr std::chrono::milliseconds kPatience{15'000};

// One connection. One thread at a time. Errors name the file, SQLite's message and what to do.
class Database {
public:
    enum class Access {
        Create, // created if absent, including parent folders; readable only by its owner (0600)
        ReadWrite, // the file must exist
        ReadOnly,
        Immutable, // read-only in a folder where SQLite may not put its helper files
    };
    // The one place where the program opens a database file. POSIX drops all locks of a process on
    // a file as soon as that process closes any descriptor of it, so nothing may ever open such a
    // file outside of SQLite, not even to read its first bytes: SQLite knows its own descriptors
    // and closes none of them too early.
    static Result<std::unique_ptr<Database>> open(const std::filesystem::path& file, Access access);

    const std::filesystem::path& file() const { return m_file; }

    // One or more statements without parameters. `doing` completes "Cannot ...": "save the run".
    Status execute(const std::string& sql, const std::string& doing);
    // Compiled once per text; a text must not be used twice at the same time.
    Statement prepare(const std::string& sql, const std::string& doing);
    // The first column of the first row of a query without parameters.
    Result<std::int64_t> queryInteger(const std::string& sql, const std::string& doing);

    bool hasHeader(); // of an SQLite database; an empty file will get one
    // The connection's last error, or its file system, shows that processes cannot share memory
    // there, which SQLite's write-ahead log needs.
    bool lacksSharedMemory() const;
    bool isBusy() const; // the last call failed because another connection has the lock
    // The path now refers to another file or to none: data written here would be lost.
    bool hasMoved() const;

    // Copies the whole database in its current state into a new file (0600).
    Status copyTo(const std::filesystem::path& target);

    // From now on every statement fails with Cancelled as soon as the flag is set; null ends this.
    // The flag must live until then.
    void setCancel(const CancelToken* cancel);

    // The error of this connection's last call as a sentence.
    Error lastError(const std::string& doing) const;

private:
    Database(DatabaseHandle handle, std::filesystem::path file);

    sqlite3_file* openFile() const;

    std::filesystem::path m_file;
    DatabaseHandle m_handle;
    std::unordered_map<std::string, StatementHandle> m_statements; // destroyed before m_handle
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

    // Takes the write lock immediately, so that a later statement cannot fail to get it. Fails if
    // the file was moved.
    Status begin(const std::string& doing);
    Status commit(const std::string& doing);

private:
    Database& m_database;
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
    bool m_open = false;
};

} // namespace ep::store
