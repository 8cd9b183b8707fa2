// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/power/polled_source.h"

#include <algorithm>

namespace ep::power {

PolledSource::PolledSource(QObject* parent)
    : Source(parent)
    , m_timer(this)
{
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &PolledSource::tick);
}

void PolledSource::start(int intervalMs)
{
    if (const Status opened = open(); !opened) {
        QMetaObject::invokeMethod(
            this, [this, message = opened.error().message] { end(message); }, Qt::QueuedConnection);
        return;
    }
    m_timer.start(std::clamp(intervalMs, 1, longestIntervalMs()));
}

void PolledSource::tick()
{
    const auto sample = read();
    if (!sample)
        return end(sample.error().message);
    if (*sample)
        Q_EMIT sampleReady(**sample);
}

void PolledSource::stop()
{
    if (m_timer.isActive())
        tick();
    end({});
}

void PolledSource::end(const std::string& problem)
{
    if (m_ended)
        return;
    m_ended = true;
    m_timer.stop();
    Q_EMIT ended(QString::fromStdString(problem));
}

PowerSample completed(PowerSample sample)
{
    for (std::size_t i = 0; i < kRailCount; ++i) {
        if (const auto& energy = sample.energy_mj.values[i])
            sample.power_mw.values[i] = meanPower(*energy, sample.window.duration_ns());
    }
    sample.total_mw = totalOf(sample.power_mw);
    sample.arrival_ns = sample.window.end_ns;
    return sample;
}

} // namespace ep::power
