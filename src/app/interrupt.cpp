// SPDX-License-Identifier: GPL-3.0-or-later
#include "interrupt.h"

#include "exit_status.h"

#include "ep/core/start_thread.h"
#include "ep/core/stop_request.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace ep::app {

namespace {

constexpr char kSignal = 's';
constexpr char kEnd = 'e';

// A signal handler can only access globals.
std::atomic<int> signalPipe = -1;
static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void onSignal(int /*number*/)
{
    const int before = errno;
    static_cast<void>(!::write(signalPipe.load(), &kSignal, 1));
    errno = before;
}

void install(void (*handler)(int))
{
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
}

} // namespace

Interrupt::Interrupt()
{
    if (::pipe(m_pipe) != 0)
        return; // then Ctrl-C ends the process as usual
    for (const int end : m_pipe)
        ::fcntl(end, F_SETFD, FD_CLOEXEC);
    signalPipe = m_pipe[1];
    const Status started = startThread(m_thread, [this] {
        bool again = false;
        for (char what = 0;;) {
            if (::read(m_pipe[0], &what, 1) != 1 || what == kEnd)
                return;
            if (again)
                ::_exit(kExitCancelled);
            again = true;
            m_token.cancel();
            requestStop();
        }
    });
    if (started) // otherwise Ctrl-C ends the process as usual
        install(onSignal);
}

Interrupt::~Interrupt()
{
    if (!m_thread.joinable())
        return;
    install(SIG_DFL);
    static_cast<void>(!::write(m_pipe[1], &kEnd, 1));
    m_thread.join();
    signalPipe = -1;
    ::close(m_pipe[0]);
    ::close(m_pipe[1]);
}

} // namespace ep::app
