// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/start_thread.h"

#include <atomic>
#include <vector>

namespace ep {

Error cannotStartThread()
{
    return {ErrorCode::Io,
            "The system cannot start another thread: close other programs, or raise the limit of "
            "processes or memory (ulimit), then try again."};
}

Status checkThreads(int count)
{
    std::atomic<bool> end = false;
    std::vector<std::thread> threads;
    Status started;
    for (int i = 0; started && i < count; ++i)
        started = startThread(threads.emplace_back(), [&end] { end.wait(false); });
    end = true;
    end.notify_all();
    for (std::thread& thread : threads) {
        if (thread.joinable())
            thread.join();
    }
    return started;
}

} // namespace ep
