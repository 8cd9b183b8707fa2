// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/clock_watch.h"

#include "ep/core/clock.h"
#include "ep/core/format.h"
#include "ep/core/message.h"
#include "ep/core/start_thread.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <utility>

#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace ep::session {
namespace {

// Clocks are read one after the other, and a busy machine may pause in between.
constexpr Nanoseconds kMinSleep = 500'000'000;
// Network time adjusts the wall clock by smaller steps.
constexpr Nanoseconds kMinShift = 1'000'000'000;

#ifdef __APPLE__
constexpr clockid_t kAwake = CLOCK_UPTIME_RAW;
constexpr clockid_t kBoot = CLOCK_MONOTONIC_RAW;
#else
constexpr clockid_t kAwake = CLOCK_MONOTONIC;
constexpr clockid_t kBoot = CLOCK_BOOTTIME;
#endif

Nanoseconds readClock(clockid_t clock)
{
    timespec time{};
    if (clock_gettime(clock, &time) != 0)
        return 0;
    return static_cast<Nanoseconds>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

Message sentence(const Interruption& one, Nanoseconds runBegin)
{
    const std::string place =
        formatDuration(std::max<Nanoseconds>(0, one.time.begin_ns - runBegin));
    std::vector<Message> texts;
    if (one.asleep_ns > 0)
        texts.emplace_back(
            "The computer slept for %1 (%2 into the run), which belongs to no part of "
            "the run; samples that overlap this time are discarded.",
            formatDuration(one.asleep_ns), place);
    if (one.stopped_ns > 0)
        texts.emplace_back(
            "The program was stopped for %1 (%2 into the run), which belongs to no part "
            "of the run; samples that overlap this time are discarded.",
            formatDuration(one.stopped_ns), place);
    if (one.wall_shift_ns != 0)
        texts.emplace_back(one.wall_shift_ns > 0
                               ? "The computer's clock was set forward by %1 (%2 into the run); "
                                 "the times of the run do not depend on it."
                               : "The computer's clock was set back by %1 (%2 into the run); the "
                                 "times of the run do not depend on it.",
                           formatDuration(std::abs(one.wall_shift_ns)), place);
    return sequence(std::move(texts));
}

void note(RunInfo& info, Message text)
{
    info.status_message = sequence({std::move(info.status_message), text});
    if (info.power.quality)
        info.power.quality->reasons.push_back(std::move(text));
}

constexpr std::chrono::milliseconds kInterval{100};
constexpr Nanoseconds kIntervalNs = 100'000'000;
// Several intervals long, so that a late wake-up does not count as a pause.
constexpr Nanoseconds kMinPause = 500'000'000;
constexpr int kPausedShare = 20; // a paused program uses less than 1/20 of the time
// After a pause this long, processor time used before the pause can be distinguished from the work
// of a delayed program.
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

bool isRest(const Interruption& one)
{
    return one.asleep_ns > 0 || one.stopped_ns > 0;
}

} // namespace

ClockReading readClocks()
{
    const Nanoseconds awake = readClock(kAwake);
    const Nanoseconds boot = readClock(kBoot);
    return {.run_ns = monotonicNow(),
            .awake_ns = awake,
            .boot_ns = boot != 0 ? boot : awake, // a kernel without CLOCK_BOOTTIME
            .wall_ns = readClock(CLOCK_REALTIME)};
}

ClockWatch::ClockWatch()
    : ClockWatch(readClocks)
{
    m_ownHeart = true;
}

ClockWatch::ClockWatch(std::function<ClockReading()> read, std::shared_ptr<Heartbeat> heart)
    : m_read(std::move(read))
    , m_heart(std::move(heart))
{
}

void ClockWatch::begin()
{
    m_found.clear();
    m_last = m_read();
    if (!m_ownHeart)
        return;
    if (m_heart)
        static_cast<void>(m_heart->takePauses()); // discards pauses from before
    else
        m_heart = std::make_shared<Heartbeat>();
}

void ClockWatch::rest()
{
    if (m_ownHeart)
        m_heart.reset();
}

void ClockWatch::look()
{
    const ClockReading now = m_read();
    const ClockReading last = std::exchange(m_last, now).value_or(now);
    const Nanoseconds lived = now.boot_ns - last.boot_ns;
    Interruption found{.time = {last.run_ns, now.run_ns}};
    if (const Nanoseconds asleep = lived - (now.awake_ns - last.awake_ns); asleep >= kMinSleep)
        found.asleep_ns = asleep;
    if (const Nanoseconds shift = now.wall_ns - last.wall_ns - lived; std::abs(shift) >= kMinShift)
        found.wall_shift_ns = shift;
    if (found.asleep_ns != 0 || found.wall_shift_ns != 0)
        m_found.push_back(found);
    lookForStops();
}

// The program also stops while the machine sleeps, which is reported only once.
void ClockWatch::lookForStops()
{
    if (!m_heart)
        return;
    for (const TimeRange& pause : m_heart->takePauses()) {
        const bool slept = std::ranges::any_of(m_found, [&](const Interruption& one) {
            return one.asleep_ns > 0 && !intersection(one.time, pause).empty();
        });
        if (!slept)
            m_found.push_back({.time = pause, .stopped_ns = pause.duration_ns()});
    }
}

void excludeSleep(std::vector<PowerSample>& samples, const std::vector<Interruption>& interruptions)
{
    std::erase_if(samples, [&](const PowerSample& sample) {
        return std::any_of(interruptions.begin(), interruptions.end(),
                           [&](const Interruption& one) {
                               return isRest(one) && sample.window.begin_ns < one.time.end_ns
                                   && one.time.begin_ns < sample.window.end_ns;
                           });
    });
}

std::vector<Message> describe(const std::vector<Interruption>& interruptions, Nanoseconds runBegin)
{
    std::vector<Message> sentences;
    for (const Interruption& one : interruptions)
        sentences.push_back(sentence(one, runBegin));
    return sentences;
}

void noteCovered(RunInfo& info, Nanoseconds covered)
{
    constexpr Nanoseconds kMin = 1'000'000'000;
    if (covered < kMin)
        return;
    note(info,
         Message("The window was covered for %1, and macOS may have slowed the program down "
                 "meanwhile; keep it in sight and repeat the run.",
                 formatDuration(covered)));
    if (info.power.quality)
        info.power.quality->verdict = std::max(info.power.quality->verdict, QualityVerdict::Fair);
}

void noteInterruptions(RunInfo& info, const std::vector<Interruption>& interruptions,
                       Nanoseconds runBegin)
{
    for (Message& text : describe(interruptions, runBegin))
        note(info, std::move(text));
    if (std::ranges::any_of(interruptions, isRest) && info.power.quality)
        info.power.quality->verdict = QualityVerdict::Poor;
}

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
