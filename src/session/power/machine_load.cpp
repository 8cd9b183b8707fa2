// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/machine_load.h"

#include "ep/core/clock.h"
#include "ep/power/battery_source.h"

#include <algorithm>
#include <sys/resource.h>
#include <unistd.h>

namespace ep::session {

namespace {

double secondsOf(const timeval& time)
{
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

} // namespace

std::optional<MachineLoad::Moment> MachineLoad::now() const
{
    const auto machine = power::machineCpuClock()->read();
    rusage own{};
    if (!machine || ::getrusage(RUSAGE_SELF, &own) != 0)
        return std::nullopt;
    double seconds = secondsOf(own.ru_utime) + secondsOf(own.ru_stime);
    if (m_server != nullptr) {
        const auto server = m_server->cpuSeconds();
        if (!server)
            return std::nullopt;
        seconds += *server;
    }
    return Moment{*machine, seconds, monotonicNow()};
}

void MachineLoad::begin(const ServerProcess* server)
{
    m_server = server;
    m_begin = now();
}

void MachineLoad::end()
{
    m_end = now();
}

void MachineLoad::describe(PowerQuality& quality) const
{
    if (const auto battery = power::readBattery())
        quality.on_battery = battery->discharging;
    quality.power_mode = power::powerMode();
    if (!m_begin || !m_end || m_end->machine.total <= m_begin->machine.total)
        return;
    const double seconds = toSeconds(m_end->at_ns - m_begin->at_ns);
    const double cores = static_cast<double>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
    constexpr double kShortest = 0.5; // the kernel's resolution is a hundredth of a second
    if (seconds < kShortest)
        return;
    const double busy = static_cast<double>(m_end->machine.busy - m_begin->machine.busy)
        / static_cast<double>(m_end->machine.total - m_begin->machine.total);
    const double own = (m_end->own_seconds - m_begin->own_seconds) / (seconds * cores);
    quality.other_cpu_share = std::clamp(busy - own, 0.0, 1.0);
}

std::optional<Millijoules> MachineLoad::batteryCapacity()
{
    const auto battery = power::readBattery();
    return battery ? battery->full_mj : std::nullopt;
}

} // namespace ep::session
