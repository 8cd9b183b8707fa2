// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "power/processor_use.h"

#include "ep/core/run.h"
#include "ep/power/modelled_source.h"
#include "ep/session/backend.h"

#include <functional>
#include <memory>
#include <optional>

namespace ep::session {

// Readers of the processor time used so far; tests replace them.
struct LoadClocks {
    std::shared_ptr<power::CpuClock> machine;
    std::function<std::optional<Nanoseconds>()> process; // all threads of this program
    std::function<std::optional<Nanoseconds>()> beside; // of threads that compute no run
    std::function<Nanoseconds()> now;
    int processors = 1;
};
LoadClocks systemLoadClocks(const Backend& backend);

// Load on the machine during a run that is not the run's own, and the machine's power supply.
class MachineLoad {
public:
    explicit MachineLoad(LoadClocks clocks);

    // Optional; call it a while before begin(). The system counts in hundredths of a second, so a
    // very short run is judged together with the time before it.
    void prepare();
    // others: processes whose work counts as the run's own; must outlive this object.
    void begin(const ProcessorUse* others = nullptr); // call it at the start of the run
    void end();
    // Fills in on_battery, power_mode, processors, other_cpu_share and own_cpu_share, as far as
    // they are known.
    void describe(PowerQuality& quality) const;
    // Capacity of the battery, if there is one.
    static std::optional<Millijoules> batteryCapacity();

private:
    struct Moment {
        power::CpuTimes machine;
        double run_seconds = 0.0; // processor time of this process and the other ones
        std::optional<Nanoseconds> beside_ns;
        Nanoseconds at_ns = 0;
    };
    std::optional<Moment> now() const;
    std::optional<double> otherShare() const;
    std::optional<double> otherShareSince(const Moment& begin) const;

    LoadClocks m_clocks;
    const ProcessorUse* m_others = nullptr;
    std::optional<Moment> m_prepared;
    std::optional<Moment> m_begin;
    std::optional<Moment> m_end;
};

} // namespace ep::session
