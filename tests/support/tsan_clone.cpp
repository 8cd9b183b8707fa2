// SPDX-License-Identifier: GPL-3.0-or-later
// Only in builds with ThreadSanitizer. Qt starts processes with clone(CLONE_VM
//  CLONE_VFORK): the child runs in its parent's memory until it becomes another program.
// ThreadSanitizer attributes what the child does there to the parent and then misses every lock of
// that thread, so that everything later looks like a race. Here such a child gets its own memory.

#include <cstdarg>
#include <dlfcn.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

extern "C" __attribute__((visibility("default"))) int clone(int (*child)(void*), void* stack,
                                                            int flags, void* argument, ...)
{
    std::va_list rest;
    va_start(rest, argument);
    void* const parentId = va_arg(rest, void*);
    void* const threadStorage = va_arg(rest, void*);
    void* const childId = va_arg(rest, void*);
    va_end(rest);
    if ((flags & CLONE_VM) == 0 || (flags & CLONE_VFORK) == 0) {
        using Clone = int (*)(int (*)(void*), void*, int, void*, ...);
        const auto real = reinterpret_cast<Clone>(::dlsym(RTLD_NEXT, "clone"));
        return real(child, stack, flags, argument, parentId, threadStorage, childId);
    }
    const pid_t pid = ::fork();
    if (pid == 0)
        ::_exit(child(argument));
    if (pid > 0 && (flags & CLONE_PIDFD) != 0) {
        constexpr int kCloseOnExec = 0; // pidfd_open() always sets it
        *static_cast<int*>(parentId) =
            static_cast<int>(::syscall(SYS_pidfd_open, pid, kCloseOnExec));
    }
    return pid;
}
