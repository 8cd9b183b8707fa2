// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/power/modelled_source.h"

#include <optional>

namespace ep::session {

// Other load on the machine during a run, and its power supply.
class MachineLoad {
public:
    void begin(); // called at the start of the run
    void end();
    // Fills in on_battery, power_mode and other_cpu_share, as far as they are known.
    void describe(PowerQuality& quality) const;
    // Capacity of the battery, if there is one.
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
