// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/power/modelled_source.h"

#include "ep/core/clock.h"

#include <algorithm>

namespace ep::power {

ModelledSource::ModelledSource(double idleWatts, double fullWatts, std::unique_ptr<CpuClock> clock,
                               QObject* parent)
    : Source(parent)
    , m_idleWatts(idleWatts)
    , m_fullWatts(fullWatts)
    , m_clock(std::move(clock))
    , m_timer(this)
{
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &ModelledSource::sample);
}

std::string ModelledSource::detail() const
{
    const auto watts = [](double value) { return QString::number(value, 'g', 4).toStdString(); };
    return "model, not a sensor: CPU time of the machine between " + watts(m_idleWatts)
        + " W idle and " + watts(m_fullWatts) + " W full";
}

void ModelledSource::start(int intervalMs)
{
    const auto times = m_clock->read();
    m_lastNs = monotonicNow();
    if (!times) {
        QMetaObject::invokeMethod(
            this, [this, message = times.error().message] { end(message); }, Qt::QueuedConnection);
        return;
    }
    m_last = *times;
    m_timer.start(std::max(1, intervalMs));
}

void ModelledSource::sample()
{
    const auto times = m_clock->read();
    const auto now = monotonicNow();
    if (!times)
        return end(times.error().message);
    // Ticks are coarse (10 ms): without one there is nothing to say yet, and the window goes on.
    if (times->total <= m_last.total || now <= m_lastNs)
        return;
    // Single columns of the kernel's table can step back a little.
    const auto busy = times->busy > m_last.busy ? times->busy - m_last.busy : 0;
    const auto total = times->total - m_last.total;
    const double share = std::min(1.0, static_cast<double>(busy) / static_cast<double>(total));
    PowerSample sample;
    sample.window = {m_lastNs, now};
    sample.arrival_ns = now;
    sample.modelled = true;
    sample.power_mw[Rail::Cpu] =
        Milliwatts{1000.0 * (m_idleWatts + share * (m_fullWatts - m_idleWatts))};
    sample.total_mw = totalOf(sample.power_mw);
    m_last = *times;
    m_lastNs = now;
    Q_EMIT sampleReady(sample);
}

void ModelledSource::stop()
{
    if (m_timer.isActive())
        sample();
    end({});
}

void ModelledSource::end(const std::string& problem)
{
    if (m_ended)
        return;
    m_ended = true;
    m_timer.stop();
    Q_EMIT ended(QString::fromStdString(problem));
}

} // namespace ep::power
