// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"

#include <thread>

namespace ep::app {

// During its lifetime, Ctrl-C (SIGINT) and SIGTERM cancel the token; a second signal ends the
// process immediately. Only one instance may exist at a time.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    const CancelToken& token() const { return m_token; }

private:
    CancelToken m_token;
    int m_pipe[2] = {-1, -1};
    std::thread m_thread; // cancels the token when the signal handler has written to the pipe
};

} // namespace ep::app
