/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loaded before a program (LD_PRELOAD): lets the EP_FAILING_THREAD-th thread that it starts fail, and all
   after it, as if the limit of processes were reached. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef int (*Create)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*begin)(void*),
                   void* argument)
{
    static atomic_int started = 0;
    const char* const limit = getenv("EP_FAILING_THREAD");
    if (limit && atomic_fetch_add(&started, 1) + 1 >= atoi(limit))
        return EAGAIN;
    /* The address of the next definition; ISO C has no cast from an object to a function. */
    Create create;
    *(void**)&create = dlsym(RTLD_NEXT, "pthread_create");
    return create(thread, attributes, begin, argument);
}
