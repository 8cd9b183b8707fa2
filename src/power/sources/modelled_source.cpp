// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/power/modelled_source.h"

#include "ep/core/clock.h"

#include <algorithm>

namespace ep::power {

ModelledSource::ModelledSource(double idleWatts, double fullWatts, std::unique_ptr<CpuClock> clock,
                               QObject* parent)
    : PolledSource(parent)
    , m_idleWatts(idleWatts)
    , m_fullWatts(fullWatts)
    , m_clock(std::move(clock))
{
}

std::string ModelledSource::detail() const
{
    const auto watts = [](double value) { return QString::number(value, 'g', 4).toStdString(); };
    return "model, not a sensor: CPU time of the machine between " + watts(m_idleWatts)
        + " W idle and " + watts(m_fullWatts) + " W full";
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

} // namespace ep::power
