// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/heartbeat.h"

#include "ep/core/clock.h"
#include "ep/core/start_thread.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <ctime>
#include <fstream>
#include <string>
#include <utility>

#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace ep::session {

namespace {

constexpr std::chrono::milliseconds kInterval{100};
constexpr Nanoseconds kIntervalNs = 100'000'000;
// Several intervals, so that a late wake-up does not count as a pause.
constexpr Nanoseconds kMinPause = 500'000'000;
constexpr int kPausedShare = 20; // a paused program uses less than 1/20 of the time
// After a pause this long, time used before it can be told from the work of a delayed program.
constexpr Nanoseconds kLongPause = 1'000'000'000;

std::atomic<int> g_continued = 0;
std::atomic<long> g_thread = 0; // the system's number of the newest heartbeat's thread
static_assert(std::atomic<int>::is_always_lock_free); // required in a signal handler

// Never removed: without another handler, SIGCONT just continues the program.
void countContinuations()
{
    static std::once_flag once;
    std::call_once(once, [] {
        struct sigaction action = {};
        action.sa_handler = [](int) { ++g_continued; };
        action.sa_flags = SA_RESTART;
        ::sigaction(SIGCONT, &action, nullptr);
    });
}

#ifdef __linux__
void rememberThread()
{
    g_thread = ::syscall(SYS_gettid);
}

// Processor time, waiting for a processor, and turns of the thread.
Nanoseconds waitedForProcessor()
{
    const long thread = g_thread;
    std::ifstream file(thread > 0 ? "/proc/self/task/" + std::to_string(thread) + "/schedstat"
                                  : std::string());
    Nanoseconds ran = 0;
    Nanoseconds waited = 0;
    return file >> ran >> waited ? waited : 0;
}
#else
void rememberThread() { }

Nanoseconds waitedForProcessor()
{
    return 0;
}
#endif

} // namespace

Heartbeat::Beat Heartbeat::now()
{
    timespec used{};
    if (::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0)
        used = {};
    return {.time = monotonicNow(),
            .processor = static_cast<Nanoseconds>(used.tv_sec) * 1'000'000'000 + used.tv_nsec,
            .continued = g_continued,
            .waited = waitedForProcessor()};
}

Heartbeat::Heartbeat(std::function<Beat()> look)
    : m_look(std::move(look))
    , m_last(m_look())
{
}

Heartbeat::Heartbeat()
    : Heartbeat(now)
{
    countContinuations();
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
    const TimeRange doubtful = std::exchange(m_doubtful, {});
    if (wasPaused(last, next)) {
        m_pauses.push_back({last.time, next.time});
        return;
    }
    // This thread may wake up before the one that receives the signal.
    if (next.continued != last.continued && !doubtful.empty())
        m_pauses.push_back(doubtful);
    if (gap >= kMinPause)
        m_doubtful = {last.time, next.time};
    if (gap >= kIntervalNs / 2)
        m_usual = (next.processor - last.processor) * kIntervalNs / gap;
}

bool Heartbeat::wasPaused(const Beat& last, const Beat& next) const
{
    const Nanoseconds gap = next.time - last.time;
    const Nanoseconds used = next.processor - last.processor;
    if (gap < kMinPause)
        return false;
    if (next.continued != last.continued)
        return true;
    if ((next.waited - last.waited) * 2 > gap)
        return false;
    if (used * kPausedShare < gap)
        return true;
    return gap >= kLongPause && (used - m_usual - m_usual / 2) * kPausedShare < gap;
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
    rememberThread();
    std::unique_lock lock(m_mutex);
    while (!m_changed.wait_for(lock, kInterval, [this] { return m_end; })) {
        lock.unlock();
        beat();
        lock.lock();
    }
}

} // namespace ep::session
