// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/units.h"

#include <vector>

namespace ep::session {

// Whether the times of a warm-up's steps have settled: the coefficient of variation (standard
// deviation / mean) of the last eight is below a limit.
class SettledCheck {
public:
    explicit SettledCheck(double limit); // 0 or less: never settled

    void add(Nanoseconds stepTime);
    bool reached() const;

private:
    double m_limit;
    std::vector<double> m_times; // the last ones, oldest first
};

} // namespace ep::session
