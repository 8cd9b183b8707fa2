// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/command_control.h"

#include <memory>

namespace ep::app {

// While a SignalRelay exists, signals that other programs send to this one are passed to the
// recorded command. Signals of the terminal's keys (Ctrl-C, Ctrl-\) reach the command anyway,
// because it is in our process group, so they are not sent twice. Signals ignored at the start (by
// nohup, for example) stay ignored. Only one instance may exist at a time.
class SignalRelay {
public:
    explicit SignalRelay(std::shared_ptr<session::CommandControl> control);
    ~SignalRelay();
    SignalRelay(const SignalRelay&) = delete;
    SignalRelay& operator=(const SignalRelay&) = delete;

    // How often Ctrl-C, SIGTERM or SIGHUP arrived, from any sender.
    int stops() const;

private:
    std::shared_ptr<session::CommandControl> m_control;
};

} // namespace ep::app
