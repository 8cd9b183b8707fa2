// SPDX-License-Identifier: GPL-3.0-or-later
#include "sqlite/description_locks.h"

#include <sqlite3.h>

#include <cerrno>
#include <compare>
#include <cstdarg>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace ep::store {

namespace {

#if defined(F_OFD_SETLK)
constexpr int kSetLock = F_OFD_SETLK;
constexpr int kSetLockWaiting = F_OFD_SETLKW;
constexpr int kGetLock = F_OFD_GETLK;
#elif defined(__APPLE__) // older headers do not define what the kernel supports
constexpr int kSetLock = 90;
constexpr int kSetLockWaiting = 91;
constexpr int kGetLock = 92;
#else
constexpr int kSetLock = F_SETLK;
constexpr int kSetLockWaiting = F_SETLKW;
constexpr int kGetLock = F_GETLK;
#endif

// Bytes that SQLite locks, from its file format: in the database while a connection reads it (in
// write-ahead mode: has it open), and in the shared memory as long as that is mapped.
constexpr off_t kSharedFirst = 0x40000002;
constexpr off_t kSharedSize = 510;
constexpr off_t kMappedByte = 128;

struct FileId {
    dev_t device = 0;
    ino_t inode = 0;
    auto operator<=>(const FileId&) const = default;
};

struct LockedFile {
    int description = -1; // the description that owns the locks
    std::set<int> users; // SQLite's descriptors
    bool proven = false; // whether a lock of a description has ever been granted
    bool by_process = false; // the file system only has POSIX locks
};

// A descriptor of SQLite.
struct Opened {
    std::string name;
    std::optional<FileId> file; // id of the file at its opening
    std::uint64_t order = 0;
    std::thread::id thread{};
    bool locked = false; // a user of its LockedFile
};

using OpenCall = int (*)(const char*, int, int);
using CloseCall = int (*)(int);
using ControlCall = int (*)(int, int, ...);

// A global, because SQLite's system calls have no argument for a context.
struct Keeper {
    OpenCall open = nullptr;
    CloseCall close = nullptr;
    ControlCall control = nullptr;

    std::mutex mutex; // guards the maps
    std::map<int, Opened> descriptors; // descriptors of SQLite
    std::uint64_t opened = 0; // number of descriptors so far
    std::map<FileId, LockedFile> files;
};

Keeper& keeper()
{
    static auto* const one = new Keeper; // SQLite may close files after all statics are gone
    return *one;
}

std::optional<FileId> idOf(int descriptor)
{
    struct stat status = {};
    if (::fstat(descriptor, &status) != 0)
        return {};
    return FileId{status.st_dev, status.st_ino};
}

// Opens the same file, writable if possible: a read-only description gets no write locks.
int descriptionFor(int descriptor)
{
    if ((::fcntl(descriptor, F_GETFL) & O_ACCMODE) != O_RDWR) {
        const std::string again = "/proc/self/fd/" + std::to_string(descriptor);
        if (const int writable = ::open(again.c_str(), O_RDWR | O_CLOEXEC); writable >= 0)
            return writable;
    }
    return ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
}

// The caller holds the mutex.
void forget(Keeper& all, int descriptor)
{
    const auto known = all.descriptors.find(descriptor);
    if (known == all.descriptors.end())
        return;
    if (known->second.locked) {
        const auto file = all.files.find(*known->second.file);
        file->second.users.erase(descriptor);
        if (file->second.users.empty()) {
            if (file->second.description >= 0)
                ::close(file->second.description);
            all.files.erase(file);
        }
    }
    all.descriptors.erase(known);
}

// The file of a descriptor that SQLite opened after keepLocksOfSqlite(); null for others. The
// caller holds the mutex.
LockedFile* fileOf(Keeper& all, int descriptor)
{
    const auto known = all.descriptors.find(descriptor);
    if (known == all.descriptors.end())
        return nullptr;
    if (!known->second.file)
        return nullptr;
    LockedFile& file = all.files[*known->second.file];
    file.users.insert(descriptor);
    known->second.locked = true;
    if (file.description < 0)
        file.description = descriptionFor(descriptor);
    return file.description >= 0 ? &file : nullptr;
}

int openFile(const char* name, int flags, int mode)
{
    Keeper& all = keeper();
    const int descriptor = all.open(name, flags, mode);
    if (descriptor >= 0) {
        const std::lock_guard guard(all.mutex);
        forget(all, descriptor);
        all.descriptors.emplace(descriptor,
                                Opened{.name = name,
                                       .file = idOf(descriptor),
                                       .order = ++all.opened,
                                       .thread = std::this_thread::get_id()});
    }
    return descriptor;
}

int closeFile(int descriptor)
{
    Keeper& all = keeper();
    {
        const std::lock_guard guard(all.mutex);
        forget(all, descriptor);
    }
    return all.close(descriptor);
}

int commandFor(int posix)
{
    return posix == F_GETLK ? kGetLock : posix == F_SETLKW ? kSetLockWaiting : kSetLock;
}

int lockFile(int descriptor, int command, struct flock* lock)
{
    Keeper& all = keeper();
    int description = -1;
    bool proven = false;
    {
        const std::lock_guard guard(all.mutex);
        const LockedFile* file = fileOf(all, descriptor);
        if (!file || file->by_process)
            return all.control(descriptor, command, lock);
        description = file->description; // kept open as long as SQLite's own descriptor
        proven = file->proven;
    }
    struct flock own = *lock;
    own.l_pid = 0;
    const int result = ::fcntl(description, commandFor(command), &own);
    const bool unknown = result != 0 && errno == EINVAL && !proven;
    if (result == 0 && command == F_GETLK)
        *lock = own;
    if (!unknown && (result != 0 || proven))
        return result;
    {
        const std::lock_guard guard(all.mutex);
        if (LockedFile* file = fileOf(all, descriptor))
            (unknown ? file->by_process : file->proven) = true;
    }
    return unknown ? all.control(descriptor, command, lock) : result;
}

int controlFile(int descriptor, int command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    void* const argument = va_arg(arguments, void*); // as the C library does, whatever its type
    va_end(arguments);
    if (command == F_SETLK || command == F_SETLKW || command == F_GETLK) {
        const int result = lockFile(descriptor, command, static_cast<struct flock*>(argument));
        // SQLite would take a file system without locks for a lock that another program has, and
        // wait for it.
        if (result != 0 && errno == ENOLCK)
            errno = EOPNOTSUPP;
        return result;
    }
    return keeper().control(descriptor, command, argument);
}

template <typename Call>
void replace(sqlite3_vfs* vfs, const char* name, Call& original, Call ours)
{
    original = reinterpret_cast<Call>(vfs->xGetSystemCall(vfs, name));
    vfs->xSetSystemCall(vfs, name, reinterpret_cast<sqlite3_syscall_ptr>(ours));
}

struct flock wholeLock(off_t first, off_t size)
{
    struct flock lock = {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = first;
    lock.l_len = size;
    return lock;
}

// Whether anybody, including this process, has a lock there; nothing if that is unknown.
std::optional<bool> isLocked(const std::filesystem::path& file, off_t first, off_t size)
{
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return {};
    struct flock lock = wholeLock(first, size);
    const int result = ::fcntl(descriptor, kGetLock, &lock);
    ::close(descriptor);
    if (result != 0)
        return {};
    return lock.l_type != F_UNLCK;
}

// Whether opening and closing the file drops none of our locks: all belong to descriptions.
bool maySafelyOpen(const std::filesystem::path& file)
{
    struct stat status = {};
    if (kGetLock == F_GETLK || ::stat(file.c_str(), &status) != 0)
        return false;
    Keeper& all = keeper();
    const std::lock_guard guard(all.mutex);
    const auto known = all.files.find({status.st_dev, status.st_ino});
    return all.open && (known == all.files.end() || !known->second.by_process);
}

} // namespace

void keepLocksOfSqlite()
{
    static std::once_flag once;
    std::call_once(once, [] {
        sqlite3_vfs* vfs = sqlite3_vfs_find(nullptr);
        constexpr int kFirstWithSystemCalls = 3;
        if (kSetLock == F_SETLK || !vfs || vfs->iVersion < kFirstWithSystemCalls
            || !vfs->xSetSystemCall || !vfs->xGetSystemCall(vfs, "fcntl"))
            return;
        Keeper& all = keeper();
        replace<OpenCall>(vfs, "open", all.open, openFile);
        replace<CloseCall>(vfs, "close", all.close, closeFile);
        replace<ControlCall>(vfs, "fcntl", all.control, controlFile);
    });
}

std::uint64_t filesOpened()
{
    Keeper& all = keeper();
    const std::lock_guard guard(all.mutex);
    return all.opened;
}

std::optional<OpenedFile> openedSince(const std::filesystem::path& file, std::uint64_t count)
{
    Keeper& all = keeper();
    const std::lock_guard guard(all.mutex);
    const Opened* found = nullptr;
    for (const auto& [descriptor, one] : all.descriptors) {
        if (!one.file || one.order <= count || one.thread != std::this_thread::get_id()
            || one.name != file.string())
            continue;
        if (found == nullptr || one.order < found->order)
            found = &one;
    }
    if (found == nullptr)
        return std::nullopt;
    return OpenedFile{static_cast<std::uint64_t>(found->file->device),
                      static_cast<std::uint64_t>(found->file->inode)};
}

OtherUsers otherUsersOf(const std::filesystem::path& database)
{
    struct stat status = {};
    if (::stat(database.c_str(), &status) != 0)
        return OtherUsers::Unknown;
    Keeper& all = keeper();
    const std::lock_guard guard(all.mutex);
    const auto known = all.files.find({status.st_dev, status.st_ino});
    if (known == all.files.end() || known->second.by_process)
        return OtherUsers::Unknown;
    if (known->second.users.size() > 1)
        return OtherUsers::Some;
    struct flock lock = wholeLock(kSharedFirst, kSharedSize);
    if (::fcntl(known->second.description, kGetLock, &lock) != 0)
        return OtherUsers::Unknown;
    return lock.l_type == F_UNLCK ? OtherUsers::None : OtherUsers::Some;
}

bool hasLogOfAnother(const std::filesystem::path& database)
{
    const std::filesystem::path memory = database.string() + "-shm";
    if (!maySafelyOpen(memory) || !maySafelyOpen(database))
        return false;
    return isLocked(memory, kMappedByte, 1) == true
        && isLocked(database, kSharedFirst, kSharedSize) == false;
}

} // namespace ep::store
