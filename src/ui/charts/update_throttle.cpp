// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/charts/update_throttle.h"

namespace ep::ui {

UpdateThrottle::UpdateThrottle(int intervalMs, std::function<void()> action)
    : m_action(std::move(action))
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(intervalMs);
    QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] {
        if (m_wanted)
            run();
    });
}

void UpdateThrottle::request()
{
    m_wanted = true;
    if (!m_timer.isActive())
        run();
}

void UpdateThrottle::run()
{
    m_wanted = false;
    m_timer.start();
    m_action();
}

} // namespace ep::ui
