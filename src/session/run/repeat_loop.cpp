// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/repeat_loop.h"

#include "ep/energy/sides.h"
#include "ep/energy/statistics.h"

#include <utility>

namespace ep::session {

std::optional<EnergyKnown> energyKnown(std::span<const std::optional<double>> joulesPerToken)
{
    std::vector<double> values;
    for (const auto& value : joulesPerToken) {
        if (!value)
            return std::nullopt;
        values.push_back(*value);
    }
    EnergyKnown known;
    known.runs = static_cast<int>(values.size());
    if (values.empty())
        return known;
    known.joules_per_token = energy::meanOf(values);
    known.half_width = energy::relativeHalfWidth(values);
    return known;
}

RepeatLoop::RepeatLoop(Profiler& profiler, QObject* parent)
    : QObject(parent)
    , m_profiler(profiler)
{
    m_pause.setSingleShot(true);
    connect(&m_pause, &QTimer::timeout, this, &RepeatLoop::startNext);
    // Queued, so that other receivers see the end of a run before the next one begins.
    connect(
        &m_profiler, &Profiler::finished, this,
        [this](const RunFinished& finished) {
            if (!m_running)
                return;
            m_joulesPerToken.push_back(finished.run->metrics.joules_per_token);
            if (!m_cancelled && finished.run->info.status == RunStatus::Complete
                && finished.save_problem.empty())
                goOn();
            else
                stop(false);
        },
        Qt::QueuedConnection);
    connect(
        &m_profiler, &Profiler::failed, this,
        [this] {
            if (m_running)
                stop(false);
        },
        Qt::QueuedConnection);
}

void RepeatLoop::start(std::vector<RunRequest> requests, const std::optional<UntilKnown>& until)
{
    m_requests = std::move(requests);
    constexpr double kMs = 1000.0;
    const bool any = !m_requests.empty();
    m_repeats = any ? m_requests.front().repeats : 0;
    m_pause.setInterval(any ? static_cast<int>(m_requests.front().cool_down_seconds * kMs) : 0);
    m_until = until;
    m_joulesPerToken.clear();
    m_elapsed.start();
    m_next = 0;
    m_running = true;
    m_cancelled = false;
    if (runs() <= 0)
        stop(true);
    else
        startNext();
}

void RepeatLoop::cancel()
{
    if (!m_running)
        return;
    m_cancelled = true; // even if the current run completes before it notices
    if (m_pause.isActive())
        stop(false);
    else
        m_profiler.cancel();
}

void RepeatLoop::startNext()
{
    const auto request = static_cast<std::size_t>(m_next) % m_requests.size();
    ++m_next;
    Q_EMIT runStarting(m_next, runs());
    m_profiler.start(m_requests[request]);
}

bool RepeatLoop::knowsEnough() const
{
    if (!m_until)
        return false;
    const auto now = known();
    const double seconds = static_cast<double>(m_elapsed.elapsed()) / 1000.0;
    const bool late = seconds >= m_until->most_seconds;
    return late || !now
        || (now->runs >= kMinUntil && seconds >= m_until->least_seconds && now->half_width
            && *now->half_width <= m_until->half_width);
}

void RepeatLoop::goOn()
{
    if (m_next == runs() || knowsEnough()) {
        stop(true);
    } else if (m_pause.interval() > 0) {
        m_pause.start();
        Q_EMIT coolDownStarted(m_pause.interval());
    } else {
        startNext();
    }
}

void RepeatLoop::stop(bool complete)
{
    m_pause.stop();
    m_running = false;
    Q_EMIT stopped(complete);
}

} // namespace ep::session
