// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>

#include <functional>

namespace ep::ui {

inline constexpr int kLiveIntervalMs = 66; // between two pictures of what is being measured

// Runs an action at once, but never more often than once per interval: requests in between are
// folded into one run at its end. For views that are fed token by token. GUI thread only.
class UpdateThrottle {
public:
    UpdateThrottle(int intervalMs, std::function<void()> action);

    void request();

private:
    void run();

    QTimer m_timer;
    std::function<void()> m_action;
    bool m_wanted = false;
};

} // namespace ep::ui
