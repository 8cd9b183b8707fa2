// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps a connection and the files at its path together: reopens files that were replaced, keeps
// the log short, and empties the log of a database at rest.
#include "sqlite/database.h"
#include "sqlite/description_locks.h"
#include "sqlite/file_access.h"

#include "ep/core/stop_request.h"
#include "ep/core/units.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <sys/stat.h>
#include <thread>

struct sqlite3;

namespace ep::store {
namespace {

int writeStatement(unsigned /*event*/, void* /*context*/, void* statement, void* duration)
{
    const char* text = sqlite3_sql(static_cast<sqlite3_stmt*>(statement));
    const auto ns = *static_cast<const std::int64_t*>(duration);
    static_cast<void>(std::fprintf(stderr, "sql %10.3f ms  %s\n",
                                   static_cast<double>(ns) / kNsPerMs, text ? text : ""));
    return 0;
}

// With the environment variable EP_TRACE_SQL set, writes each statement of the connection to stderr
// when it ends: milliseconds and text. Values are left out, because they hold prompts and answers.
void traceStatements(sqlite3* connection)
{
    if (std::getenv("EP_TRACE_SQL") != nullptr)
        sqlite3_trace_v2(connection, SQLITE_TRACE_PROFILE, writeStatement, nullptr);
}

} // namespace

namespace fs = std::filesystem;

namespace {

// Only one connection of the process reopens its path at a time, because that opens others too.
std::recursive_mutex g_opening_again;

// All connections of the process, since those to one file share its shared memory.
struct OpenDatabases {
    std::mutex mutex; // guards the set; locked before a connection's own mutex
    std::set<Database*> all;
};

OpenDatabases& openDatabases()
{
    static auto* const one = new OpenDatabases; // connections may outlive the last static
    return *one;
}

std::int64_t writtenNs(const struct stat& status)
{
#ifdef __APPLE__
    const struct timespec& time = status.st_mtimespec;
#else
    const struct timespec& time = status.st_mtim;
#endif
    constexpr std::int64_t kSecondNs = 1'000'000'000;
    return std::int64_t{time.tv_sec} * kSecondNs + time.tv_nsec;
}

std::int64_t writtenNs(const fs::path& file)
{
    struct stat status = {};
    return ::stat(file.c_str(), &status) == 0 ? writtenNs(status) : 0;
}

// Waits for another connection, unless this process is to end. SQLite calls it again and again; a
// connection is used by one thread at a time.
int waitForLock(void* /*context*/, int calls)
{
    static thread_local std::chrono::steady_clock::time_point began;
    // SQLite's own pauses, so long that many waiting processes do not keep the working one from the
    // processor.
    static constexpr std::array<int, 12> kPausesMs{1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100};
    const auto now = std::chrono::steady_clock::now();
    if (calls == 0)
        began = now;
    if (now - began >= kPatience || stopIsDue())
        return 0;
    const auto pause = std::min(static_cast<std::size_t>(calls), kPausesMs.size() - 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(kPausesMs[pause]));
    return 1;
}

std::uintmax_t sizeOf(const fs::path& file)
{
    std::error_code failed;
    const std::uintmax_t size = fs::file_size(file, failed);
    return failed ? 0 : size;
}

} // namespace

std::optional<Database::FileId> Database::idOf(const fs::path& file)
{
    struct stat status = {};
    if (::stat(file.c_str(), &status) != 0)
        return {};
    return FileId{static_cast<std::uint64_t>(status.st_dev),
                  static_cast<std::uint64_t>(status.st_ino)};
}

std::optional<Database::FileId> Database::idAtOpening(const fs::path& file) const
{
    const auto opened = openedSince(file, m_openedBefore);
    return opened ? std::optional(FileId{opened->device, opened->inode}) : idOf(file);
}

Database::~Database()
{
    {
        const std::lock_guard guard(openDatabases().mutex);
        openDatabases().all.erase(this);
    }
    if (m_handle && m_reopen && m_uses == 0) {
        const Place now = place();
        if (now == Place::Replaced || now == Place::Gone) {
            sqlite3_busy_timeout(m_handle.get(), 0);
            static_cast<void>(emptyOldLog());
        }
    }
    emptyLogIfAlone();
}

void Database::setUp()
{
    sqlite3* handle = m_handle.get();
    sqlite3_extended_result_codes(handle, 1);
    traceStatements(handle);
    sqlite3_busy_handler(handle, waitForLock, nullptr);
    // Closing changes nothing, so it does no harm to programs whose locks were dropped.
    int persists = 1;
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &persists);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr); // our schema has none
    const auto committed = [](void* database, sqlite3*, const char*, int pages) {
        static_cast<Database*>(database)->boundLog(pages);
        return SQLITE_OK;
    };
    sqlite3_wal_hook(handle, committed, this);
    const char* name = sqlite3_db_filename(handle, "main");
    const std::string file = name ? name : m_file.string();
    const std::lock_guard guard(m_mutex);
    m_paths = {file, file + "-wal", file + "-shm"};
    m_ids[0] = idAtOpening(m_paths[0]);
}

void Database::watch(Reopen reopen)
{
    m_reopen = std::move(reopen);
    // The program reads no views. A foreign view with the name of a table might never end.
    sqlite3_db_config(m_handle.get(), SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    {
        const std::lock_guard guard(m_mutex);
        // Keeps the id of the database that setUp() saw: an id taken from the path now might be
        // that of a file that has replaced the database.
        for (std::size_t i = 1; i < m_ids.size(); ++i)
            m_ids[i] = idAtOpening(m_paths[i]);
    }
    m_written_ns = writtenNs(m_file);
    const std::lock_guard guard(openDatabases().mutex);
    openDatabases().all.insert(this);
}

Place Database::place() const
{
    const auto database = idOf(m_file);
    if (!database)
        return Place::Gone;
    if (database != m_ids[0])
        return Place::Replaced;
    for (std::size_t i = 1; i < m_ids.size(); ++i) {
        if (m_ids[i] && idOf(m_paths[i]) != m_ids[i])
            return Place::LogReplaced;
    }
    return Place::Same;
}

Status Database::checkPlace(const std::string& doing) const
{
    const Place now = m_reopen ? place() : Place::Same;
    if (now == Place::Same)
        return {};
    return Error{
        ErrorCode::Io,
        {now == Place::Gone
             ? "Cannot %1: %2 was moved or deleted while it was open; put it back or start again."
             : "Cannot %1: %2 was replaced while it was open; try again.",
         doing, m_file.string()}};
}

Status Database::confirmPlace(const std::string& doing)
{
    if (m_reopen && place() == Place::LogReplaced && rescueDeletedLog())
        return {};
    return checkPlace(doing);
}

Status Database::use()
{
    constexpr int kTries = 3; // the file may be replaced again, or closed by another thread
    for (int i = 0; i < kTries; ++i) {
        if (m_uses == 0)
            m_full = false;
        if (m_uses == 0 && m_reopen) {
            const Place now = place();
            if (now == Place::Same)
                m_written_ns = writtenNs(m_file);
            bool closed = false;
            {
                const std::lock_guard guard(m_mutex);
                closed = !m_handle;
            }
            if (now != Place::Same || closed) {
                if (const Status again = openAgain(now); !again)
                    return again;
            }
        }
        const std::lock_guard guard(m_mutex);
        if (m_handle) {
            ++m_uses;
            return {};
        }
    }
    return Error{ErrorCode::Io,
                 {"%1 is replaced again and again while it is open; try again.", m_file.string()}};
}

void Database::endUse()
{
    const std::lock_guard guard(m_mutex);
    --m_uses;
}

bool Database::closeOthers()
{
    constexpr std::chrono::milliseconds kPause{10};
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (true) {
        bool all = true;
        {
            const std::lock_guard guard(openDatabases().mutex);
            for (Database* other : openDatabases().all) {
                const std::lock_guard theirs(other->m_mutex);
                if (other == this || !other->m_handle || other->m_ids[0] != m_ids[0])
                    continue;
                if (other->m_uses > 0) {
                    all = false;
                    continue;
                }
                other->m_statements.clear();
                other->m_handle.reset();
            }
        }
        if (all || std::chrono::steady_clock::now() > deadline)
            return all;
        std::this_thread::sleep_for(kPause);
    }
}

// The database at the path is another one, but the log beside it may still be ours: SQLite would
// read it as the log of the new one. Its content is written to the old database first.
Status Database::emptyOldLog()
{
    const bool isOurs = m_ids[1] && idOf(m_paths[1]) == m_ids[1];
    if (!isOurs)
        return {};
    const auto emptied = [this] {
        return m_handle && m_writing
            && sqlite3_wal_checkpoint_v2(m_handle.get(), "main", SQLITE_CHECKPOINT_TRUNCATE,
                                         nullptr, nullptr)
            == SQLITE_OK;
    };
    if (sizeOf(m_paths[1]) > 0 && !emptied()) {
        return Error{ErrorCode::Io,
                     {"%1 was replaced while other programs use it; close them, or put it back.",
                      m_file.string()}};
    }
    for (std::size_t i = 1; i < m_ids.size(); ++i) {
        std::error_code ignored;
        if (idOf(m_paths[i]) == m_ids[i])
            fs::remove(m_paths[i], ignored);
    }
    return {};
}

void Database::putAwayOld(const fs::path& file)
{
    const std::lock_guard again(g_opening_again);
    const std::lock_guard guard(openDatabases().mutex);
    const auto now = idOf(file);
    for (Database* old : openDatabases().all) {
        const std::lock_guard theirs(old->m_mutex);
        if (old->m_file != file || !old->m_handle || old->m_uses > 0 || old->m_ids[0] == now)
            continue;
        sqlite3_busy_timeout(old->m_handle.get(), 0); // nobody may wait for this lock
        if (!old->emptyOldLog())
            continue;
        old->m_statements.clear();
        old->m_handle.reset();
    }
}

// Handles a log that somebody deleted. If no other program has used the database since, the pages
// that are only in the log can still be written into the database.
bool Database::rescueDeletedLog()
{
    const bool untouched = writtenNs(m_file) == m_written_ns && sizeOf(m_paths[1]) == 0;
    if (!m_handle || !m_writing || !untouched || idOf(m_paths[1]) == m_ids[1])
        return false;
    int pages = 0;
    int merged = 0;
    return sqlite3_wal_checkpoint_v2(m_handle.get(), "main", SQLITE_CHECKPOINT_PASSIVE, &pages,
                                     &merged)
        == SQLITE_OK
        && pages >= 0 && pages == merged;
}

Status Database::openAgain(Place place)
{
    if (place == Place::Gone)
        return checkPlace("use the run database");
    const std::lock_guard again(g_opening_again);
    bool closed = false;
    {
        const std::lock_guard guard(m_mutex);
        closed = !m_handle; // another connection closed all that saw the old files
    }
    if (!closed && !closeOthers()) {
        return Error{
            ErrorCode::Io,
            {"%1 was replaced while this program reads or writes it; try again.", m_file.string()}};
    }
    if (place == Place::Replaced) {
        if (const Status emptied = emptyOldLog(); !emptied)
            return emptied;
    } else if (place == Place::LogReplaced) {
        static_cast<void>(rescueDeletedLog());
    }
    {
        const std::lock_guard guard(m_mutex);
        m_statements.clear();
        m_handle.reset();
    }
    auto opened = m_reopen();
    if (!opened)
        return opened.error();
    const std::lock_guard guard(m_mutex);
    m_handle = std::move((*opened)->m_handle);
    m_statements = std::move((*opened)->m_statements);
    m_paths = (*opened)->m_paths;
    m_ids = (*opened)->m_ids;
    ++m_generation;
    m_damaged = false;
    sqlite3_wal_hook(
        m_handle.get(),
        [](void* database, sqlite3*, const char*, int pages) {
            static_cast<Database*>(database)->boundLog(pages);
            return SQLITE_OK;
        },
        this);
    return {};
}

Status Database::openAfresh()
{
    return m_reopen ? openAgain(Place::Same) : Status();
}

Status Database::moveTo(const fs::path& file, Reopen reopen)
{
    m_reopen = std::move(reopen);
    {
        const std::lock_guard guard(m_mutex);
        m_file = file;
    }
    return openAgain(Place::Same);
}

// Call after each commit. Readers of an older state keep their pages in the log; the next commit
// tries again.
void Database::boundLog(int pages)
{
    constexpr int kMaxPages = 1000; // 4 MB, as SQLite does it
    if (pages >= kMaxPages && (!m_reopen || place() == Place::Same))
        sqlite3_wal_checkpoint_v2(m_handle.get(), "main", SQLITE_CHECKPOINT_PASSIVE, nullptr,
                                  nullptr);
}

// Makes a copy of the file alone complete, and prevents the log from being taken for that of
// another file that replaces this one.
void Database::emptyLogIfAlone()
{
    if (!m_handle || !m_writing || !m_reopen || !m_ids[1] || m_uses > 0 || place() != Place::Same
        || sizeOf(m_paths[1]) == 0 || otherUsersOf(m_paths[0]) != OtherUsers::None)
        return;
    sqlite3_busy_timeout(m_handle.get(), 0);
    sqlite3_wal_checkpoint_v2(m_handle.get(), "main", SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
    if (sizeOf(m_paths[1]) == 0)
        reserveForLog(m_paths[1]);
}

} // namespace ep::store
