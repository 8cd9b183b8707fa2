// SPDX-License-Identifier: GPL-3.0-or-later
#include "signal_relay.h"

#include <array>
#include <atomic>
#include <csignal>

namespace ep::app {

namespace {

constexpr std::array kRelayed{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

// A signal handler can only access globals.
std::atomic<session::CommandControl*> relayTarget = nullptr;
std::atomic<int> stopsHeard = 0;
static_assert(std::atomic<session::CommandControl*>::is_always_lock_free);

extern "C" void onRelayedSignal(int number, siginfo_t* info, void* /*context*/)
{
    if (number == SIGINT || number == SIGTERM || number == SIGHUP)
        stopsHeard.fetch_add(1);
#ifdef __linux__
    const bool sent = info == nullptr || info->si_code <= 0; // by a process, not by the terminal
#else
    const bool sent = info == nullptr || info->si_pid != 0;
#endif
    if (session::CommandControl* control = relayTarget.load(); control != nullptr && sent)
        control->send(number);
}

} // namespace

SignalRelay::SignalRelay(std::shared_ptr<session::CommandControl> control)
    : m_control(std::move(control))
{
    relayTarget = m_control.get();
    stopsHeard = 0;
    for (const int number : kRelayed) {
        struct sigaction before = {};
        ::sigaction(number, nullptr, &before);
        if (before.sa_handler == SIG_IGN)
            continue;
        struct sigaction action = {};
        action.sa_sigaction = onRelayedSignal;
        action.sa_flags = SA_RESTART | SA_SIGINFO;
        ::sigaction(number, &action, nullptr);
    }
}

SignalRelay::~SignalRelay()
{
    for (const int number : kRelayed) {
        struct sigaction now = {};
        ::sigaction(number, nullptr, &now);
        if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == onRelayedSignal)
            std::signal(number, SIG_DFL);
    }
    relayTarget = nullptr;
}

int SignalRelay::stops() const
{
    return stopsHeard.load();
}

} // namespace ep::app
