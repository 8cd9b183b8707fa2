// SPDX-License-Identifier: GPL-3.0-or-later
// For JSON readers: a stack as small as that of threads on macOS, so that unlimited recursion is
// found; the sanitizer's larger frames make it effectively smaller still.
#include <cstdio>
#include <cstdlib>
#include <sys/resource.h>

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/)
{
    constexpr rlim_t kStackBytes = 512U << 10U;
    rlimit limit = {};
    ::getrlimit(RLIMIT_STACK, &limit);
    limit.rlim_cur = kStackBytes; // the main thread's grows up to what is allowed at that time
    if (::setrlimit(RLIMIT_STACK, &limit) != 0) {
        std::perror("the stack cannot be limited");
        std::abort();
    }
    return 0;
}
