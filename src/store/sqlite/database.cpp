// SPDX-License-Identifier: GPL-3.0-or-later
#include "sqlite/database.h"

#include "sqlite/description_locks.h"
#include "sqlite/file_access.h"
#include "sqlite/statement.h"

#include "ep/store/store.h"

#include <sqlite3.h>

#include <cassert>
#include <cerrno>

#ifdef __linux__
#include <cerrno>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#endif

// Room on the disk for the memory that SQLite's connections share.
//
// SQLite maps a file (-shm) and extends it by writing the last byte of each page of 4 KB, and
// counts on the file system to allocate the whole page. With smaller blocks (ext4 with 1 KB), the
// others stay holes, and touching them on a full disk ends the program (SIGBUS). With their blocks
// reserved first, SQLite gets an error for a full disk instead.

namespace ep::store {
namespace {

#ifdef __linux__

namespace {

using OpenFileCall = int (*)(const char*, int, int);
using WriteAtCall = ssize_t (*)(int, const void*, size_t, off_t);

constexpr off_t kPage = 4096;

OpenFileCall openBefore = nullptr;
WriteAtCall writeBefore = nullptr;

// Returns false, with errno set, if the disk is full.
bool reserve(int descriptor, off_t begin, off_t size)
{
    if (::fallocate(descriptor, 0, begin, size) == 0)
        return true;
    return errno != ENOSPC && errno != EDQUOT;
}

// A file that another program extended, or that was left behind, may have holes. SQLite truncates
// an unused one to three bytes, which it never reads.
int openWithoutHoles(const char* name, int flags, int mode)
{
    const int descriptor = openBefore(name, flags, mode);
    if (descriptor < 0 || !std::string_view(name).ends_with("-shm")
        || (flags & O_ACCMODE) == O_RDONLY)
        return descriptor;
    constexpr blkcnt_t kUnit = 512;
    struct stat status = {};
    if (::fstat(descriptor, &status) == 0 && status.st_size >= kPage
        && status.st_blocks * kUnit < status.st_size && !reserve(descriptor, 0, status.st_size)) {
        ::close(descriptor);
        errno = ENOSPC;
        return -1;
    }
    return descriptor;
}

ssize_t writeIntoBlocks(int descriptor, const void* bytes, size_t size, off_t place)
{
    const bool extends = size == 1 && place % kPage == kPage - 1;
    if (extends && !reserve(descriptor, place + 1 - kPage, kPage))
        return -1;
    return writeBefore(descriptor, bytes, size, place);
}

template <typename Call>
bool replaceCall(sqlite3_vfs* vfs, const char* name, Call& before, Call ours)
{
    const sqlite3_syscall_ptr found = vfs->xGetSystemCall(vfs, name);
    if (!found)
        return false;
    before = reinterpret_cast<Call>(found);
    return vfs->xSetSystemCall(vfs, name, reinterpret_cast<sqlite3_syscall_ptr>(ours)) == SQLITE_OK;
}

} // namespace

// Takes effect for every file that SQLite opens from now on. Does nothing if the file system
// cannot reserve blocks. Any thread, any number of times; call it after keepLocksOfSqlite().
void reserveSharedMemory()
{
    static std::once_flag once;
    std::call_once(once, [] {
        sqlite3_vfs* vfs = sqlite3_vfs_find(nullptr);
        constexpr int kFirstWithSystemCalls = 3;
        if (!vfs || vfs->iVersion < kFirstWithSystemCalls || !vfs->xSetSystemCall
            || !vfs->xGetSystemCall)
            return;
        replaceCall<OpenFileCall>(vfs, "open", openBefore, openWithoutHoles);
        // SQLite uses one of the two, depending on how it was built.
        if (!replaceCall<WriteAtCall>(vfs, "pwrite", writeBefore, writeIntoBlocks))
            replaceCall<WriteAtCall>(vfs, "pwrite64", writeBefore, writeIntoBlocks);
    });
}

#else

void reserveSharedMemory() { }

#endif

struct Advice {
    ErrorCode code;
    const char* todo;
};

constexpr Advice kNoSharedMemory{
    ErrorCode::Io,
    "its file system has no memory that processes can share, as its write-ahead log needs: open it "
    "once for writing (record a run, or open the window), or copy it to a local disk"};

constexpr Advice kNoLocks{
    ErrorCode::Io,
    "its file system does not lock files, without which programs damage each other's databases: "
    "choose another file with --db, on a local disk"};

constexpr Advice kNoSpace{ErrorCode::Io, "free some space there, or choose another file with --db"};

Error errorOf(const std::filesystem::path& file, const std::string& doing, const std::string& what,
              const Advice& advice)
{
    return {advice.code,
            "Cannot " + doing + " (" + file.string() + "): " + what + "; " + advice.todo + "."};
}

Advice adviceFor(int primaryCode)
{
    switch (primaryCode) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return {ErrorCode::Io, "another program is writing to it; try again when it is done"};
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
        return {
            ErrorCode::Io,
            "make the file and its folder readable and writable, or choose another file with --db"};
    case SQLITE_IOERR:
        return {ErrorCode::Io, "check that disk, or choose another file with --db"};
    case SQLITE_ERROR: // not our mistake: our statements match the tables that we create
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
    case SQLITE_SCHEMA:
    case SQLITE_NOTADB:
        return {ErrorCode::InvalidInput,
                "move it away or restore a copy of it, or choose another file with --db"};
    case SQLITE_CORRUPT:
        return {ErrorCode::InvalidInput,
                "restore a backup with \"energy-profiler db --restore\", or save what can be read "
                "with \"energy-profiler db --recover\""};
    case SQLITE_INTERRUPT:
        return {ErrorCode::Cancelled, "it was stopped on request"};
    case SQLITE_NOMEM:
        return {ErrorCode::Io, "close other programs and try again"};
    default:
        return {ErrorCode::Internal, "please report this with the file's schema version"};
    }
}

// SQLite's URI form, in which `?` and `%` of the path must be escaped.
std::string uriOf(const std::filesystem::path& file, const char* query)
{
    static constexpr char kHex[] = "0123456789ABCDEF";
    std::string uri = "file:";
    for (const char c : std::filesystem::absolute(file).string()) {
        if (c == '?' || c == '#' || c == '%') {
            const auto byte = static_cast<unsigned char>(c);
            uri += {'%', kHex[byte >> 4], kHex[byte & 15]};
        } else {
            uri += c;
        }
    }
    return uri + query;
}

} // namespace

bool isDatabase(const std::filesystem::path& file)
{
    std::error_code failed;
    if (!std::filesystem::is_regular_file(file, failed)
        || std::filesystem::file_size(file, failed) < kLeastDatabase || failed)
        return false;
    const auto database = Database::open(file, Database::Access::Immutable);
    return database && (*database)->hasHeader();
}

void CloseDatabase::operator()(sqlite3* handle) const
{
    sqlite3_close_v2(handle);
}

void FinalizeStatement::operator()(sqlite3_stmt* handle) const
{
    sqlite3_finalize(handle);
}

Database::Database(DatabaseHandle handle, std::filesystem::path file, bool writing,
                   std::uint64_t openedBefore)
    : m_file(std::move(file))
    , m_writing(writing)
    , m_openedBefore(openedBefore)
    , m_handle(std::move(handle))
{
}

Result<std::unique_ptr<Database>> Database::open(const std::filesystem::path& file, Access access)
{
    // A file that is being created is open outside of SQLite for a moment, when no connection may
    // have it open.
    static std::mutex opening;
    const std::lock_guard lock(opening);
    keepLocksOfSqlite();
    reserveSharedMemory();
    if (access == Access::Create) {
        if (const auto made = createPrivateFile(file); !made)
            return made.error();
    }
    const bool writing =
        access == Access::Create || access == Access::ReadWrite || access == Access::InMemory;
    const int flags = (writing ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY) | SQLITE_OPEN_URI
        | SQLITE_OPEN_NOMUTEX;
    const std::string uri = access == Access::InMemory
        ? ":memory:"
        : uriOf(file,
                access == Access::Immutable     ? "?immutable=1"
                    : access == Access::WithLog ? "?vfs=unix-none"
                                                : "");
    sqlite3* raw = nullptr;
    const std::uint64_t before = filesOpened();
    const int code = sqlite3_open_v2(uri.c_str(), &raw, flags, nullptr);
    std::unique_ptr<Database> database(new Database(DatabaseHandle(raw), file, writing, before));
    if (code != SQLITE_OK)
        return database->lastError("open the database");
    database->setUp();
    if (access == Access::WithLog) { // nobody can write there, so nobody has to be kept out
        if (const Status alone = database->execute("PRAGMA locking_mode = EXCLUSIVE", "open");
            !alone)
            return alone.error();
    }
    return database;
}

Error Database::lastError(const std::string& doing) const
{
    constexpr int kPrimary = 0xff;
    const int code = sqlite3_errcode(m_handle.get()) & kPrimary;
    m_damaged = m_damaged || code == SQLITE_CORRUPT;
    if (code == SQLITE_NOTADB)
        return notADatabase(m_file);
    const bool noLog = (code == SQLITE_CANTOPEN || code == SQLITE_IOERR) && lacksSharedMemory();
    // The log's shared memory is a file that has to grow as well.
    const int extended = sqlite3_extended_errcode(m_handle.get());
    const bool full = code == SQLITE_FULL || extended == SQLITE_IOERR_SHMSIZE
        || ((code == SQLITE_IOERR || code == SQLITE_CANTOPEN)
            && sqlite3_system_errno(m_handle.get()) == ENOSPC);
    m_full = m_full || full;
    if (full)
        return errorOf(m_file, doing, "the disk is full", kNoSpace);
    const bool noLocks = code == SQLITE_IOERR && sqlite3_system_errno(m_handle.get()) == EOPNOTSUPP;
    return errorOf(m_file, doing, sqlite3_errmsg(m_handle.get()),
                   noLocks     ? kNoLocks
                       : noLog ? kNoSharedMemory
                               : adviceFor(code));
}

bool Database::isBusy() const
{
    constexpr int kPrimary = 0xff;
    return (sqlite3_errcode(m_handle.get()) & kPrimary) == SQLITE_BUSY;
}

sqlite3_file* Database::openFile() const
{
    sqlite3_file* file = nullptr;
    sqlite3_file_control(m_handle.get(), "main", SQLITE_FCNTL_FILE_POINTER, &file);
    return file && file->pMethods ? file : nullptr;
}

std::optional<std::string> Database::rawBytes(std::uint64_t offset, std::size_t size) const
{
    sqlite3_file* file = openFile();
    std::string bytes(size, '\0');
    if (!file
        || file->pMethods->xRead(file, bytes.data(), static_cast<int>(size),
                                 static_cast<sqlite3_int64>(offset))
            != SQLITE_OK)
        return {};
    return bytes;
}

std::uint64_t Database::rawSize() const
{
    sqlite3_file* file = openFile();
    sqlite3_int64 size = 0;
    if (!file || file->pMethods->xFileSize(file, &size) != SQLITE_OK)
        return 0;
    return static_cast<std::uint64_t>(size);
}

bool Database::lacksSharedMemory() const
{
    constexpr int kFirstWithSharedMemory = 2;
    const sqlite3_file* file = openFile();
    return sqlite3_extended_errcode(m_handle.get()) == SQLITE_IOERR_SHMMAP
        || (file
            && (file->pMethods->iVersion < kFirstWithSharedMemory || !file->pMethods->xShmMap));
}

bool Database::hasChanged() const
{
    return m_handle && sqlite3_total_changes(m_handle.get()) > 0;
}

bool Database::hasHeader()
{
    return queryInteger("PRAGMA schema_version", "look at the file")
        || sqlite3_errcode(m_handle.get()) != SQLITE_NOTADB;
}

Status Database::execute(const std::string& sql, const std::string& doing)
{
    const DatabaseUse use(*this);
    if (!use.status())
        return use.status();
    if (sqlite3_exec(m_handle.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
        return lastError(doing);
    return {};
}

Statement Database::prepare(const std::string& sql, const std::string& doing)
{
    return {*this, sql, doing};
}

sqlite3_stmt* Database::compiled(const std::string& sql)
{
    StatementHandle& cached = m_statements[sql];
    if (!cached) {
        sqlite3_stmt* raw = nullptr;
        sqlite3_prepare_v3(m_handle.get(), sql.c_str(), static_cast<int>(sql.size()),
                           SQLITE_PREPARE_PERSISTENT, &raw, nullptr);
        cached.reset(raw);
    }
    assert(!cached || !sqlite3_stmt_busy(cached.get()));
    return cached.get();
}

Result<std::int64_t> Database::queryInteger(const std::string& sql, const std::string& doing)
{
    Statement statement = prepare(sql, doing);
    std::int64_t value = 0;
    const Result<bool> row = statement.next();
    if (!row)
        return row.error();
    if (*row)
        statement.get(value);
    return value;
}

void Database::setCancel(const CancelToken* cancel)
{
    constexpr int kInstructions =
        4'000; // SQLite instructions between two checks, which take some microseconds
    if (!cancel) {
        sqlite3_progress_handler(m_handle.get(), 0, nullptr, nullptr);
        return;
    }
    const auto stopped = [](void* flag) {
        return static_cast<const CancelToken*>(flag)->cancelled() ? 1 : 0;
    };
    // SQLite passes the pointer back unchanged.
    sqlite3_progress_handler(m_handle.get(), kInstructions, stopped,
                             const_cast<CancelToken*>(cancel));
}

Status Database::copyTo(const std::filesystem::path& target)
{
    const std::string doing = "copy the database to " + target.string();
    const DatabaseUse use(*this);
    if (!use.status())
        return use.status();
    auto copy = open(target, Access::Create);
    if (!copy)
        return copy.error();
    sqlite3* to = (*copy)->m_handle.get();
    sqlite3_backup* backup = sqlite3_backup_init(to, "main", m_handle.get(), "main");
    if (!backup)
        return (*copy)->lastError(doing);
    sqlite3_backup_step(backup, -1);
    if (sqlite3_backup_finish(backup) != SQLITE_OK)
        return (*copy)->lastError(doing);
    return (*copy)->becomeOneFile();
}

Status Database::becomeOneFile()
{
    int persists = 0;
    sqlite3_file_control(m_handle.get(), "main", SQLITE_FCNTL_PERSIST_WAL, &persists);
    return execute("PRAGMA journal_mode = DELETE", "close the log");
}

Transaction::~Transaction()
{
    // SQLite may already have rolled back after a full disk; then this does nothing.
    if (m_open)
        static_cast<void>(m_database.execute("ROLLBACK", "undo"));
}

Status Transaction::begin(const std::string& doing)
{
    m_use.emplace(m_database);
    if (!m_use->status())
        return m_use->status();
    const Status begun = m_database.execute("BEGIN IMMEDIATE", doing);
    m_open = begun.has_value();
    return begun;
}

Status Transaction::commit(const std::string& doing)
{
    if (const Status there = m_database.checkPlace(doing); !there)
        return there;
    Status done = m_database.execute("COMMIT", doing);
    if (!done)
        return done;
    m_open = false;
    return m_database.confirmPlace(doing);
}

Reading::~Reading()
{
    if (m_use && m_use->status())
        m_database.setCancel(nullptr);
    if (m_open)
        static_cast<void>(m_database.execute("ROLLBACK", "end reading"));
}

Status Reading::begin(const std::string& doing)
{
    m_use.emplace(m_database);
    if (!m_use->status())
        return m_use->status();
    m_database.setCancel(&m_cancel);
    const Status begun = m_database.execute("BEGIN", doing);
    m_open = begun.has_value();
    return begun;
}

} // namespace ep::store
