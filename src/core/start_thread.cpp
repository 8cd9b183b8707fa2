// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/start_thread.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <pthread.h>
#include <vector>

namespace ep {

Error cannotStartThread()
{
    return {ErrorCode::Io,
            "The system cannot start another thread: close other programs, or raise the limit of "
            "processes or memory (ulimit), then try again."};
}

namespace {

// Allocates nothing, because the C library reserves address space for each thread that does.
void* waitForEnd(void* end)
{
    static_cast<const std::atomic<bool>*>(end)->wait(false);
    return nullptr;
}

} // namespace

bool hasRoomForThread()
{
    constexpr std::size_t kFirstAllocations = 8 * 1024 * 1024; // other threads allocate, too
    std::size_t stack = 0;
    pthread_attr_t attributes;
    if (::pthread_attr_init(&attributes) == 0) {
        ::pthread_attr_getstacksize(&attributes, &stack);
        ::pthread_attr_destroy(&attributes);
    }
    const std::unique_ptr<char[]> room(new (std::nothrow) char[stack + kFirstAllocations]);
    return room != nullptr;
}

Status checkThreads(int count)
{
    std::atomic<bool> end = false;
    std::vector<pthread_t> threads(static_cast<std::size_t>(count));
    std::size_t started = 0;
    while (started < threads.size()
           && ::pthread_create(&threads[started], nullptr, waitForEnd, &end) == 0)
        ++started;
    end = true;
    end.notify_all();
    for (std::size_t i = 0; i < started; ++i)
        ::pthread_join(threads[i], nullptr);
    return started == threads.size() ? Status() : Status(cannotStartThread());
}

} // namespace ep
