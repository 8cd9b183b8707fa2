// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"

#include <thread>

namespace ep::app {

// While it lives, Ctrl-C (SIGINT) and SIGTERM cancel the token; the second one ends the process at
// once. One at a time.
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
    std::thread m_thread; // turns what the signal handler wrote into the token
};

} // namespace ep::app
