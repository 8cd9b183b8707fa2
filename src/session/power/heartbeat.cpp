// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/heartbeat.h"

#include "ep/core/clock.h"
#include "ep/core/start_thread.h"

#include <chrono>
#include <ctime>
#include <utility>

namespace ep::session {

namespace {

constexpr std::chrono::milliseconds kInterval{100};
// Several intervals, so that a late wake-up is not taken for a pause.
constexpr Nanoseconds kLeastPause = 500'000'000;
constexpr int kPausedShare = 20; // a paused program uses less than 1/20 of the time

} // namespace

Heartbeat::Beat Heartbeat::now()
{
    timespec used{};
    if (::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0)
        used = {};
    return {.time = monotonicNow(),
            .processor = static_cast<Nanoseconds>(used.tv_sec) * 1'000'000'000 + used.tv_nsec};
}

Heartbeat::Heartbeat(std::function<Beat()> look)
    : m_look(std::move(look))
    , m_last(m_look())
{
}

Heartbeat::Heartbeat()
    : Heartbeat(now)
{
    static_cast<void>(startThread(m_thread, [this] { run(); }));
}

Heartbeat::~Heartbeat()
{
    if (!m_thread.joinable())
        return;
    {
        const std::lock_guard lock(m_mutex);
        m_end = true;
        m_changed.notify_all();
    }
    m_thread.join();
}

void Heartbeat::beat()
{
    const std::lock_guard lock(m_mutex);
    const Beat next = m_look();
    const Beat last = std::exchange(m_last, next);
    const Nanoseconds gap = next.time - last.time;
    if (gap >= kLeastPause && (next.processor - last.processor) * kPausedShare < gap)
        m_pauses.push_back({last.time, next.time});
}

std::vector<TimeRange> Heartbeat::takePauses()
{
    if (m_thread.joinable())
        beat();
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_pauses, {});
}

void Heartbeat::run()
{
    std::unique_lock lock(m_mutex);
    while (!m_changed.wait_for(lock, kInterval, [this] { return m_end; })) {
        lock.unlock();
        beat();
        lock.lock();
    }
}

} // namespace ep::session
