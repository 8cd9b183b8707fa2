/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loaded before a program (LD_PRELOAD): shows whether the program runs the destructors of libraries when it ends,
   by a file at EP_FAREWELL. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((destructor)) static void farewell(void)
{
    const char* const file = getenv("EP_FAREWELL");
    if (file != NULL)
        close(open(file, O_WRONLY | O_CREAT, 0600));
}
