// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>

#include <functional>

namespace ep::ui {

inline constexpr int kLiveIntervalMs = 66; // between two repaints of live data

// Runs an action immediately, but at most once per interval: requests in between are merged into
// one at its end. For views that are updated for each token. GUI thread only.
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
