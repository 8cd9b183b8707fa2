// SPDX-License-Identifier: GPL-3.0-or-later
// Preloaded (LD_PRELOAD): a file system that cannot map memory that processes share, as some network
// and virtual disks, for the files in which SQLite wants it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int isShared(int flags, int file)
{
    static const char ending[] = "-shm";
    char link[64];
    char path[4096];
    ssize_t length;
    if ((flags & MAP_SHARED) == 0 || file < 0)
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    length = readlink(link, path, sizeof path);
    return length >= (ssize_t)strlen(ending)
        && memcmp(path + length - strlen(ending), ending, strlen(ending)) == 0;
}

static void* map(const char* name, void* address, size_t size, int protection, int flags, int file,
                 off_t offset)
{
    void* (*real)(void*, size_t, int, int, int, off_t);
    if (isShared(flags, file)) {
        errno = ENODEV;
        return MAP_FAILED;
    }
    *(void**)&real = dlsym(RTLD_NEXT, name);
    return real(address, size, protection, flags, file, offset);
}

void* mmap(void* address, size_t size, int protection, int flags, int file, off_t offset)
{
    return map("mmap", address, size, protection, flags, file, offset);
}

void* mmap64(void* address, size_t size, int protection, int flags, int file, off_t offset)
{
    return map("mmap64", address, size, protection, flags, file, offset);
}
