// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/power/polled_source.h"

#include <cstdint>
#include <memory>
#include <string_view>

namespace ep::power {

// CPU time of the whole machine since some fixed time, over all cores, in system ticks.
struct CpuTimes {
    std::uint64_t busy = 0;
    std::uint64_t total = 0;
};

// Source of the CPU time; tests replace it.
class CpuClock {
public:
    virtual ~CpuClock() = default;
    virtual Result<CpuTimes> read() = 0;
};
std::unique_ptr<CpuClock> machineCpuClock(); // the clock of this machine

// The first line of /proc/stat. Waiting for I/O counts as idle; guest time is part of user.
Result<CpuTimes> parseProcStat(std::string_view text);

// A model instead of a sensor: power of rail cpu = idle watts + share of CPU time in use x (full -
// idle) watts. Every sample is marked `modelled`. GPU, memory and clock frequencies are not
// modelled.
class ModelledSource : public PolledSource {
    Q_OBJECT
public:
    ModelledSource(double idleWatts, double fullWatts,
                   std::unique_ptr<CpuClock> clock = machineCpuClock(), QObject* parent = nullptr);

    std::string kind() const override { return "modelled"; }
    Message detail() const override;

protected:
    Status open() override;
    Result<std::optional<PowerSample>> read() override;
    bool readsAtAnyTime() const override { return true; }

private:
    double m_idleWatts;
    double m_fullWatts;
    std::unique_ptr<CpuClock> m_clock;
    CpuTimes m_last;
};

} // namespace ep::power
