// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/power/modelled_source.h"

#include <optional>

namespace ep::session {

// What else the machine did during a run, and how it was fed.
class MachineLoad {
public:
    void begin(); // of the run
    void end();
    // Fills in on_battery, power_mode and other_cpu_share, as far as they can be known.
    void describe(PowerQuality& quality) const;
    // Capacity of the battery, where there is one.
    static std::optional<Millijoules> batteryCapacity();

private:
    struct Moment {
        power::CpuTimes machine;
        double own_seconds = 0.0; // processor time of this process
        Nanoseconds at_ns = 0;
    };
    static std::optional<Moment> now();

    std::optional<Moment> m_begin;
    std::optional<Moment> m_end;
};

} // namespace ep::session
