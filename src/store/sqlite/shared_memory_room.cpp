// SPDX-License-Identifier: GPL-3.0-or-later
#include "sqlite/shared_memory_room.h"

#include <sqlite3.h>

#ifdef __linux__
#include <cerrno>
#include <fcntl.h>
#include <mutex>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace ep::store {

#ifdef __linux__

namespace {

using OpenFileCall = int (*)(const char*, int, int);
using WriteAtCall = ssize_t (*)(int, const void*, size_t, off_t);

constexpr off_t kPage = 4096;

OpenFileCall openBefore = nullptr;
WriteAtCall writeBefore = nullptr;

// False: the disk is full, with errno set.
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

} // namespace ep::store
