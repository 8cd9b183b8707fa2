// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QEventLoop>
#include <QTimer>

#include <chrono>
#include <functional>

namespace ep::test {

// Runs the event loop until the condition holds; false if it does not within the patience. Handles
// events as they come, and sleeps between them: QTest::qWaitFor() looks every 10 ms only, and
// processEvents() with a time does not sleep at all.
inline bool waitUntil(const std::function<bool()>& condition,
                      std::chrono::milliseconds patience = std::chrono::minutes(1))
{
    const QDeadlineTimer end(patience);
    QTimer look; // conditions may change without an event
    look.start(5);
    while (!condition()) {
        if (end.hasExpired())
            return false;
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    return true;
}

} // namespace ep::test
