// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_queue.h"

#include <QTimer>

#include <algorithm>
#include <utility>

namespace ep::api {

using session::Profiler;
using session::RunFinished;

RunQueue::RunQueue(session::Backend backend, int most, std::size_t mostBytes, QObject* parent)
    : QObject(parent)
    , m_profiler(std::move(backend))
    , m_most(most)
    , m_mostBytes(mostBytes)
{
    connect(&m_profiler, &Profiler::finished, this, [this](const RunFinished& finished) {
        Q_EMIT finishing(finished);
        finishCurrent({.id = finished.run->info.id, .finished = finished});
    });
    connect(&m_profiler, &Profiler::failed, this, [this](const Error& error) {
        finishCurrent({.id = m_current ? m_current->request.run_id : std::string(),
                       .finished = std::nullopt,
                       .error = error});
    });
}

bool RunQueue::hasRoomFor(const QueuedRun& run) const
{
    std::size_t bytes = run.bytes;
    for (const QueuedRun& waiting : m_waiting)
        bytes += waiting.bytes;
    return static_cast<int>(m_waiting.size()) < m_most
        && (m_waiting.empty() || bytes <= m_mostBytes);
}

int RunQueue::submit(QueuedRun run)
{
    if (m_closed || !hasRoomFor(run))
        return -1;
    const int before = static_cast<int>(m_waiting.size()) + (m_current ? 1 : 0);
    m_waiting.push_back(std::move(run));
    startNext();
    return before;
}

bool RunQueue::cancel(const std::string& id)
{
    if (m_current && m_current->request.run_id == id) {
        m_profiler.cancel();
        return true;
    }
    const auto found = std::find_if(m_waiting.begin(), m_waiting.end(),
                                    [&](const QueuedRun& run) { return run.request.run_id == id; });
    if (found == m_waiting.end())
        return false;
    const QueuedRun run = std::move(*found);
    m_waiting.erase(found);
    if (run.ended) {
        run.ended({.id = id,
                   .finished = std::nullopt,
                   .error = {ErrorCode::Cancelled, "The run was removed from the queue."}});
    }
    return true;
}

void RunQueue::setPaused(bool paused)
{
    m_paused = paused;
    startNext();
}

void RunQueue::setHeld(bool held)
{
    m_held = held;
    startNext();
}

void RunQueue::close()
{
    m_closed = true;
    while (!m_waiting.empty())
        cancel(m_waiting.front().request.run_id);
    if (m_current)
        m_profiler.cancel();
    else
        QTimer::singleShot(0, this, &RunQueue::closed);
}

std::optional<std::string> RunQueue::runningId() const
{
    return m_current ? std::optional(m_current->request.run_id) : std::nullopt;
}

std::vector<std::string> RunQueue::waitingIds() const
{
    std::vector<std::string> ids;
    for (const QueuedRun& run : m_waiting)
        ids.push_back(run.request.run_id);
    return ids;
}

void RunQueue::startNext()
{
    while (!m_current && !m_paused && !m_held && !m_waiting.empty()) {
        QueuedRun next = std::move(m_waiting.front());
        m_waiting.pop_front();
        if (next.wanted && !next.wanted())
            continue;
        m_current = std::move(next);
        m_profiler.start(m_current->request);
        Q_EMIT runningChanged(true);
    }
}

void RunQueue::finishCurrent(const RunOutcome& outcome)
{
    const std::optional<QueuedRun> run = std::exchange(m_current, std::nullopt);
    if (run && run->ended)
        run->ended(outcome);
    startNext();
    if (!m_current)
        Q_EMIT runningChanged(false);
    if (m_closed && !m_current)
        Q_EMIT closed();
}

} // namespace ep::api
