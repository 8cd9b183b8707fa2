/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loaded before a program (LD_PRELOAD): no more than EP_MOST_THREADS threads run beside its first one, as if
   the limit of processes were reached. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef void* (*Begin)(void*);
typedef int (*Create)(pthread_t*, const pthread_attr_t*, Begin, void*);

struct Thread {
    Begin begin;
    void* argument;
};

static atomic_int running = 0;

static void ended(void* thread)
{
    free(thread);
    atomic_fetch_sub(&running, 1);
}

static void* run(void* argument)
{
    struct Thread* const thread = argument;
    void* result = NULL;
    pthread_cleanup_push(ended, thread); /* also if the thread is cancelled */
    result = thread->begin(thread->argument);
    pthread_cleanup_pop(1);
    return result;
}

int pthread_create(pthread_t* id, const pthread_attr_t* attributes, Begin begin, void* argument)
{
    const char* const limit = getenv("EP_MOST_THREADS");
    struct Thread* const thread = malloc(sizeof *thread);
    /* The address of the next definition; ISO C has no cast from an object to a function. */
    Create create;
    int problem = EAGAIN;
    if (!thread)
        return EAGAIN;
    thread->begin = begin;
    thread->argument = argument;
    *(void**)&create = dlsym(RTLD_NEXT, "pthread_create");
    if (atomic_fetch_add(&running, 1) < (limit ? atoi(limit) : 1000))
        problem = create(id, attributes, run, thread);
    if (problem != 0)
        ended(thread);
    return problem;
}
