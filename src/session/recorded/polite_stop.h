// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/units.h"

#include <csignal>
#include <optional>

namespace ep::session {

// Asks a command to end: first as Ctrl-C does, then more firmly, then by force.
class PoliteStop {
public:
    static constexpr Nanoseconds kPatience = 5'000'000'000; // before the next step

    // The signal to send now, if one is due. Call repeatedly once the command is to end.
    std::optional<int> due(Nanoseconds now)
    {
        if (m_step == kSteps || (m_step > 0 && now - m_sentAt < kPatience))
            return std::nullopt;
        constexpr int kSignals[kSteps] = {SIGINT, SIGTERM, SIGKILL};
        m_sentAt = now;
        return kSignals[m_step++];
    }
    bool asked() const { return m_step > 0; }

private:
    static constexpr int kSteps = 3;
    int m_step = 0;
    Nanoseconds m_sentAt = 0;
};

} // namespace ep::session
