// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallel_regions.h"

#include <atomic>
#include <dlfcn.h>

namespace {

std::atomic<int> regions = 0;

} // namespace

// LibTorch's calls resolve to the executable's definition first.
extern "C" __attribute__((visibility("default"))) void
GOMP_parallel(void (*work)(void*), void* data, unsigned threads, unsigned flags)
{
    using Parallel = void (*)(void (*)(void*), void*, unsigned, unsigned);
    static const auto next = reinterpret_cast<Parallel>(dlsym(RTLD_NEXT, "GOMP_parallel"));
    ++regions;
    next(work, data, threads, flags);
}

int ep::test::parallelRegions()
{
    return regions;
}
