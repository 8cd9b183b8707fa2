// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/machine_load.h"

#include "power/own_use.h"

#include "ep/core/clock.h"
#include "ep/power/battery_source.h"

#include <algorithm>
#include <cmath>
#include <unistd.h>
#include <utility>

namespace ep::session {

LoadClocks systemLoadClocks(const Backend& backend)
{
    return {.machine = backend.cpuClock ? backend.cpuClock() : power::machineCpuClock(),
            .process = []() -> std::optional<Nanoseconds> {
                const auto use = ownUse();
                return use ? std::optional(use->processor_ns) : std::nullopt;
            },
            .beside = [threads = backend.beside]() -> std::optional<Nanoseconds> {
                if (threads.empty())
                    return std::nullopt;
                Nanoseconds sum = 0;
                for (const ThreadClock& thread : threads)
                    sum += thread.used().value_or(0); // 0: the thread has ended
                return sum;
            },
            .now = monotonicNow,
            .processors = static_cast<int>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)))};
}

MachineLoad::MachineLoad(LoadClocks clocks)
    : m_clocks(std::move(clocks))
{
}

std::optional<MachineLoad::Moment> MachineLoad::now() const
{
    const auto machine = m_clocks.machine->read();
    const auto process = m_clocks.process();
    if (!machine || !process)
        return std::nullopt;
    double seconds = toSeconds(*process);
    if (m_others != nullptr) {
        const auto others = m_others->cpuSeconds();
        if (!others)
            return std::nullopt;
        seconds += *others;
    }
    return Moment{*machine, seconds, m_clocks.beside(), m_clocks.now()};
}

void MachineLoad::prepare()
{
    m_prepared = now();
}

void MachineLoad::begin(const ProcessorUse* others)
{
    if (std::exchange(m_others, others) != others)
        m_prepared.reset(); // the prepared reading did not count those processes
    m_begin = now();
}

void MachineLoad::end()
{
    m_end = now();
}

std::optional<double> MachineLoad::otherShareSince(const Moment& begin) const
{
    constexpr double kWholeTicks = 50.0; // ticks of each processor: 0.5 s
    constexpr double kCertain = 1.5; // multiple of the error
    const double processors = m_clocks.processors;
    const double seconds = toSeconds(m_end->at_ns - begin.at_ns);
    if (seconds <= 0.0 || m_end->machine.total <= begin.machine.total)
        return std::nullopt;
    const auto ticks = static_cast<double>(m_end->machine.total - begin.machine.total);
    const double busy = static_cast<double>(m_end->machine.busy - begin.machine.busy) / ticks;
    const double own = (m_end->run_seconds - begin.run_seconds) / (seconds * processors);
    const double share = std::clamp(busy - own, 0.0, 1.0);
    // A tick counts a processor as entirely busy or idle, and the first tick is incomplete.
    const double error = (processors + 0.5 * std::sqrt(ticks)) / ticks;
    if (ticks < kWholeTicks * processors && share < kCertain * error)
        return std::nullopt;
    return share;
}

std::optional<double> MachineLoad::otherShare() const
{
    constexpr Nanoseconds kLongEnough = 500'000'000;
    const bool isShort = m_end->at_ns - m_begin->at_ns < kLongEnough;
    if (isShort && m_prepared) {
        if (const auto share = otherShareSince(*m_prepared))
            return share;
    }
    return otherShareSince(*m_begin);
}

void MachineLoad::describe(PowerQuality& quality) const
{
    if (const auto battery = power::readBattery())
        quality.on_battery = battery->discharging;
    quality.power_mode = power::powerMode();
    if (!m_begin || !m_end)
        return;
    quality.processors = m_clocks.processors;
    quality.other_cpu_share = otherShare();
    const double seconds = toSeconds(m_end->at_ns - m_begin->at_ns);
    if (m_begin->beside_ns && m_end->beside_ns && seconds > 0.0) {
        const double used = toSeconds(*m_end->beside_ns - *m_begin->beside_ns);
        quality.own_cpu_share = std::clamp(used / (seconds * m_clocks.processors), 0.0, 1.0);
    }
}

std::optional<Millijoules> MachineLoad::batteryCapacity()
{
    const auto battery = power::readBattery();
    return battery ? battery->full_mj : std::nullopt;
}

} // namespace ep::session
