// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/command_control.h"

#include <memory>

namespace ep::app {

// During its lifetime, signals that other programs send to this one go to the recorded command.
// Those of the terminal's keys (Ctrl-C, Ctrl-\) reach the command anyway, because it is in our
// process group, and are not sent twice. Signals that were ignored at the start stay ignored, as
// after nohup. Only one instance may exist at a time.
class SignalRelay {
public:
    explicit SignalRelay(std::shared_ptr<session::CommandControl> control);
    ~SignalRelay();
    SignalRelay(const SignalRelay&) = delete;
    SignalRelay& operator=(const SignalRelay&) = delete;

    // How often Ctrl-C, SIGTERM or SIGHUP came, from wherever.
    int stops() const;

private:
    std::shared_ptr<session::CommandControl> m_control;
};

} // namespace ep::app
