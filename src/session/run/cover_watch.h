// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/time_range.h"

#include <mutex>
#include <optional>

namespace ep::session {

// How long the program's window was completely covered. Written by the GUI, read by the inference
// thread.
class CoverWatch {
public:
    void set(bool covered, Nanoseconds now)
    {
        const std::lock_guard lock(m_mutex);
        if (covered == m_since.has_value())
            return;
        if (m_since)
            m_total += now - *m_since;
        m_since = covered ? std::optional(now) : std::nullopt;
    }

    // Total up to now.
    Nanoseconds total(Nanoseconds now) const
    {
        const std::lock_guard lock(m_mutex);
        return m_total + (m_since ? now - *m_since : 0);
    }

private:
    mutable std::mutex m_mutex; // guards both
    Nanoseconds m_total = 0;
    std::optional<Nanoseconds> m_since; // covered since then
};

} // namespace ep::session
