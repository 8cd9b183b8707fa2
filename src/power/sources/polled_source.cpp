// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/power/polled_source.h"

#include <algorithm>
#include <utility>

namespace ep::power {

PolledSource::PolledSource(SampleKind kind, QObject* parent)
    : Source(parent)
    , m_kind(kind)
    , m_timer(this)
{
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, [this] { tick(false); });
}

void PolledSource::start(int intervalMs)
{
    m_intervalMs = std::clamp(intervalMs, leastIntervalMs(), longestIntervalMs());
    if (const Status opened = open(); !opened) {
        QMetaObject::invokeMethod(
            this, [this, message = opened.error().message] { end(message); }, Qt::QueuedConnection);
        return;
    }
    m_timer.start(m_intervalMs);
}

Result<std::vector<PowerSample>> PolledSource::readAll(bool)
{
    auto sample = read();
    if (!sample)
        return sample.error();
    std::vector<PowerSample> samples;
    if (*sample)
        samples.push_back(std::move(**sample));
    return samples;
}

bool PolledSource::tick(bool last)
{
    const auto samples = readAll(last);
    if (!samples) {
        end(samples.error().message);
        return false;
    }
    m_delivering = true;
    for (const PowerSample& sample : *samples)
        deliver(sample);
    m_delivering = false;
    if (std::exchange(m_stopAsked, false))
        stop();
    return !samples->empty();
}

void PolledSource::readNow()
{
    // The next window has the full interval.
    if (readsAtAnyTime() && m_timer.isActive() && tick(false) && m_timer.isActive())
        m_timer.start();
}

void PolledSource::stop()
{
    // The receiver of a sample may have called stop(); the rest of the same reading is still sent.
    m_stopAsked = m_delivering;
    if (m_stopAsked)
        return;
    if (m_timer.isActive())
        tick(true);
    end({});
}

void PolledSource::end(const Message& problem)
{
    if (m_ended)
        return;
    m_ended = true;
    m_timer.stop();
    Q_EMIT ended(problem);
}

} // namespace ep::power
