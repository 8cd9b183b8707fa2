// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "interrupt.h"

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

} // namespace ep::app
