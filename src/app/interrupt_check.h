// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "interrupt.h"

#include <QTimer>

#include <utility>

namespace ep::app {

// Looks from the event loop whether Ctrl-C was pressed, and calls cancel while it was.
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
