// SPDX-License-Identifier: GPL-3.0-or-later
// Preloaded (LD_PRELOAD) into the window and the server: code in the process that opens and closes
// the files of the database at random moments, as a file dialog or a thumbnailer does, which drops
// the process's POSIX locks on them. EP_DB names the database.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void* openAndClose(void* database)
{
    static const char* const suffixes[] = {"", "-wal", "-shm"};
    unsigned seed = (unsigned)getpid();
    for (;;) {
        const struct timespec pause = {0, 1000L * (rand_r(&seed) % 20000)};
        char name[4096];
        char byte;
        int file;
        nanosleep(&pause, NULL);
        snprintf(name, sizeof name, "%s%s", (const char*)database, suffixes[rand_r(&seed) % 3]);
        file = open(name, O_RDONLY | O_CLOEXEC);
        if (file < 0)
            continue;
        if (read(file, &byte, 1) < 0)
            byte = 0;
        close(file);
    }
    return NULL;
}

__attribute__((constructor)) static void begin(void)
{
    static pthread_t thread;
    char* database = getenv("EP_DB");
    if (database && getenv("EP_DROP_LOCKS"))
        pthread_create(&thread, NULL, openAndClose, database);
}
