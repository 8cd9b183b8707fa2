// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QEvent>
#include <QObject>

#include <new>

namespace ep::session {

// No exception may pass through Qt's event loop, which would end the program. If there is no memory
// for an event, that event is left out and all others continue. Application: Qt's class.
template <typename Application>
class GuardedApplication final : public Application {
public:
    using Application::Application;

    bool notify(QObject* receiver, QEvent* event) override
    {
        try {
            return Application::notify(receiver, event);
        } catch (const std::bad_alloc&) {
            return false;
        }
    }
};

} // namespace ep::session
