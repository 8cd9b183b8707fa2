// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_room.h"

#include "ep/core/format.h"
#include "ep/core/start_thread.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <thread>

namespace ep::model {
namespace {

// Threads of a run that do not compute: power, storage, the clocks, and a spare one.
constexpr int kFurtherThreads = 4;

// Address space, most of which is not used: for LibTorch 1.13's libraries, and for what OpenBLAS
// reserves per computing thread and for its stack.
constexpr std::int64_t kLibraries = 500'000'000;
constexpr std::int64_t kPerThread = 142'000'000;

// Counts the threads of OpenBLAS by its own rules, including the calling one.
int threadsOfBlas()
{
    for (const char* name : {"OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"}) {
        const char* wanted = std::getenv(name);
        int threads = 0;
        if (wanted
            && std::from_chars(wanted, wanted + std::strlen(wanted), threads).ec == std::errc()
            && threads > 0)
            return threads;
    }
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

bool canReserve(std::int64_t bytes)
{
    const auto size = static_cast<std::size_t>(bytes);
    void* const place = ::mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, 0);
    return place != MAP_FAILED && ::munmap(place, size) == 0;
}

} // namespace

Status checkRoomForEngine()
{
    const int threads = threadsOfBlas();
    if (const Status startable = checkThreads(threads - 1 + kFurtherThreads); !startable)
        return startable;
    const std::int64_t bytes = kLibraries + threads * kPerThread;
    if (canReserve(bytes))
        return {};
    return Error{ErrorCode::Io,
                 {"The inference engine needs %1 of address space, which the limit of this program "
                  "does not leave: raise the limit of memory (ulimit -v), then try again.",
                  formatBytes(bytes)}};
}

} // namespace ep::model
