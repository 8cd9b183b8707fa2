// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <fcntl.h>
#include <filesystem>
#include <sys/wait.h>
#include <unistd.h>

namespace ep::test {

// Whether other processes see the lock that every connection to a database in write-ahead mode has
// on its file. A process loses it by closing any descriptor of that file.
inline bool othersSeeLock(const std::filesystem::path& database)
{
    constexpr off_t kSharedFirst = 0x40000002; // from SQLite's file format
    constexpr off_t kSharedSize = 510;
    const pid_t child = ::fork();
    if (child == 0) {
        const int file = ::open(database.c_str(), O_RDWR | O_CLOEXEC);
        struct flock lock = {};
        lock.l_type = F_WRLCK;
        lock.l_whence = SEEK_SET;
        lock.l_start = kSharedFirst;
        lock.l_len = kSharedSize;
        ::_exit(file >= 0 && ::fcntl(file, F_GETLK, &lock) == 0 && lock.l_type == F_RDLCK ? 0 : 1);
    }
    int status = -1;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Does what a file dialog, a thumbnailer or a library may do: opens and closes the files of the
// database, which drops this process's POSIX locks on them.
inline void openAndClose(const std::filesystem::path& database)
{
    for (const char* suffix : {"", "-wal", "-shm"}) {
        const int file = ::open((database.string() + suffix).c_str(), O_RDONLY | O_CLOEXEC);
        if (file >= 0)
            ::close(file);
    }
}

} // namespace ep::test
