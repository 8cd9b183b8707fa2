// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/power/modelled_source.h"

#include "ep/core/clock.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string>

#ifdef __APPLE__
#include <mach/mach.h>
#endif

namespace ep::power {

ModelledSource::ModelledSource(double idleWatts, double fullWatts, std::unique_ptr<CpuClock> clock,
                               QObject* parent)
    : PolledSource(SampleKind::Power, parent)
    , m_idleWatts(idleWatts)
    , m_fullWatts(fullWatts)
    , m_clock(std::move(clock))
{
}

Message ModelledSource::detail() const
{
    const auto watts = [](double value) { return QString::number(value, 'g', 4).toStdString(); };
    return {"model, not a sensor: CPU time of the machine between %1 and %2",
            Message("%1 W idle", watts(m_idleWatts)), Message("%1 W full", watts(m_fullWatts))};
}

Status ModelledSource::open()
{
    const auto times = m_clock->read();
    m_lastNs = monotonicNow();
    if (!times)
        return times.error();
    m_last = *times;
    return {};
}

Result<std::optional<PowerSample>> ModelledSource::read()
{
    const auto times = m_clock->read();
    const auto now = monotonicNow();
    if (!times)
        return times.error();
    // Ticks are coarse (10 ms): before the next tick there is no value, and the window continues.
    if (times->total <= m_last.total || now <= m_lastNs)
        return std::optional<PowerSample>{};
    // Individual columns of the kernel's table can decrease slightly.
    const auto busy = times->busy > m_last.busy ? times->busy - m_last.busy : 0;
    const auto total = times->total - m_last.total;
    const double share = std::min(1.0, static_cast<double>(busy) / static_cast<double>(total));
    PowerSample sample;
    sample.window = {m_lastNs, now};
    sample.modelled = true;
    sample.cores_busy = static_cast<float>(share);
    sample.power_mw[Rail::Cpu] =
        Milliwatts{1000.0 * (m_idleWatts + share * (m_fullWatts - m_idleWatts))};
    m_last = *times;
    m_lastNs = now;
    return std::optional(completed(sample));
}

Result<CpuTimes> parseProcStat(std::string_view text)
{
    std::istringstream line{std::string(text.substr(0, text.find('\n')))};
    std::string label;
    line >> label;
    // user nice system idle iowait irq softirq steal; older kernels have fewer columns
    std::array<std::uint64_t, 8> column{};
    std::size_t count = 0;
    while (count < column.size() && line >> column[count])
        ++count;
    constexpr std::size_t kIdle = 3;
    constexpr std::size_t kIoWait = 4;
    if (label != "cpu" || count <= kIdle)
        return Error{ErrorCode::Unsupported,
                     "The CPU time in /proc/stat cannot be read; the modelled power source does "
                     "not work on this machine, choose `none`."};
    CpuTimes times;
    for (std::size_t i = 0; i < count; ++i) {
        times.total += column[i];
        times.busy += i == kIdle || i == kIoWait ? 0 : column[i];
    }
    return times;
}

namespace {

#ifdef __APPLE__
class MachineCpuClock : public CpuClock {
public:
    Result<CpuTimes> read() override
    {
        host_cpu_load_info_data_t load{};
        mach_msg_type_number_t size = HOST_CPU_LOAD_INFO_COUNT;
        const auto host = mach_host_self();
        const auto status =
            host_statistics(host, HOST_CPU_LOAD_INFO, reinterpret_cast<host_info_t>(&load), &size);
        mach_port_deallocate(mach_task_self(), host);
        if (status != KERN_SUCCESS)
            return Error{ErrorCode::Unsupported,
                         "The system does not report its CPU time; the modelled power source does "
                         "not work on this machine, choose `none`."};
        // The kernel's counters have 32 bits and wrap after weeks, so differences are taken of
        // each column, then added up.
        CpuTimes difference;
        for (std::size_t i = 0; i < CPU_STATE_MAX; ++i) {
            const std::uint32_t ticks = load.cpu_ticks[i] - m_last[i];
            m_last[i] = load.cpu_ticks[i];
            difference.total += ticks;
            difference.busy += i == CPU_STATE_IDLE ? 0 : ticks;
        }
        m_sum.total += difference.total;
        m_sum.busy += difference.busy;
        return m_sum;
    }

private:
    std::array<std::uint32_t, CPU_STATE_MAX> m_last{};
    CpuTimes m_sum;
};
#else
class MachineCpuClock : public CpuClock {
public:
    Result<CpuTimes> read() override
    {
        std::ifstream file("/proc/stat");
        std::string line;
        std::getline(file, line);
        return parseProcStat(line);
    }
};
#endif

} // namespace

std::unique_ptr<CpuClock> machineCpuClock()
{
    return std::make_unique<MachineCpuClock>();
}

} // namespace ep::power
