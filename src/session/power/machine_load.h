// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "power/server_process.h"

#include "ep/core/run.h"
#include "ep/power/modelled_source.h"

#include <optional>

namespace ep::session {

// Other load on the machine during a run, and its power supply.
class MachineLoad {
public:
    // server: the work of these processes counts as the run's own; must outlive this object.
    void begin(const ServerProcess* server = nullptr); // called at the start of the run
    void end();
    // Fills in on_battery, power_mode and other_cpu_share, as far as they are known.
    void describe(PowerQuality& quality) const;
    // Capacity of the battery, if there is one.
    static std::optional<Millijoules> batteryCapacity();

private:
    struct Moment {
        power::CpuTimes machine;
        double own_seconds = 0.0; // processor time of this process and the server's
        Nanoseconds at_ns = 0;
    };
    std::optional<Moment> now() const;

    const ServerProcess* m_server = nullptr;

    std::optional<Moment> m_begin;
    std::optional<Moment> m_end;
};

} // namespace ep::session
