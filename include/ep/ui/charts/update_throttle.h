// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>

#include <functional>

namespace ep::ui {

inline constexpr int kLiveIntervalMs = 66; // time between two repaints of live data

// Runs an action immediately, but at most once per interval: further requests are merged into one
// at the end of the interval. For views that are updated for each token. GUI thread only.
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
