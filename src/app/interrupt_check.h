// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "interrupt.h"

#include <QCoreApplication>
#include <QTimer>

#include <utility>

namespace ep::app {

// Lets an event loop check for Ctrl-C; once it was pressed, every check calls cancel.
template <typename Cancel>
void onInterrupt(QTimer& timer, const Interrupt& interrupt, Cancel cancel)
{
    constexpr int kCheckIntervalMs = 20;
    timer.setInterval(kCheckIntervalMs);
    QObject::connect(&timer, &QTimer::timeout, &timer, [&interrupt, cancel = std::move(cancel)] {
        if (interrupt.token().cancelled())
            cancel();
    });
}

// Runs the event loop until Ctrl-C was pressed and the server has ended its work.
template <typename Server>
void serveUntilInterrupt(Server& server, const Interrupt& interrupt)
{
    QTimer check;
    onInterrupt(check, interrupt, [&] {
        check.stop();
        server.drain();
    });
    QObject::connect(&server, &Server::drained, &server, &QCoreApplication::quit);
    constexpr int kRareCheckMs = 50; // a server waits for hours
    check.start(kRareCheckMs);
    QCoreApplication::exec();
}

} // namespace ep::app
