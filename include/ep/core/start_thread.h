// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <system_error>
#include <thread>
#include <utility>

namespace ep {

Error cannotStartThread();

// Whether the system lets this program start `count` more threads: starts all of them at once, and
// waits until they have ended. To be called before using a library that hangs or ends the program
// if one of its threads cannot be started.
Status checkThreads(int count);

// Whether there is memory for the stack of another thread and for its first allocations.
bool hasRoomForThread();

// Starts a QThread. Unlike start(), reports a failure, after which waiting would never end. Qt
// ends the program if a new thread has no memory for its event dispatcher, so such a thread is not
// started.
template <typename Thread>
Status startThread(Thread& thread)
{
    if (!hasRoomForThread())
        return cannotStartThread();
    thread.start();
    return thread.isRunning() || thread.isFinished() ? Status() : Status(cannotStartThread());
}

// Starts a std::thread, whose constructor throws if it fails.
template <typename Work>
Status startThread(std::thread& thread, Work&& work)
{
    try {
        thread = std::thread(std::forward<Work>(work));
        return {};
    } catch (const std::system_error&) {
        return cannotStartThread();
    }
}

} // namespace ep
