// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/clock_watch.h"

#include "ep/core/clock.h"
#include "ep/core/format.h"
#include "ep/core/message.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <utility>

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

std::string sentence(const Interruption& one, Nanoseconds runBegin)
{
    const std::string place =
        formatDuration(std::max<Nanoseconds>(0, one.time.begin_ns - runBegin));
    std::string text;
    if (one.asleep_ns > 0)
        text = Message("The computer slept for %1 (%2 into the run), which belongs to no part of "
                       "the run; samples that overlap this time are discarded.",
                       formatDuration(one.asleep_ns), place);
    if (one.stopped_ns > 0)
        text +=
            Message("The program was stopped for %1 (%2 into the run), which belongs to no part "
                    "of the run; samples that overlap this time are discarded.",
                    formatDuration(one.stopped_ns), place);
    if (one.wall_shift_ns != 0) {
        text += (text.empty() ? "" : " ");
        text +=
            Message(one.wall_shift_ns > 0 ? "The computer's clock was set forward by %1 (%2 into "
                                            "the run); the times of the run do not depend on it."
                                          : "The computer's clock was set back by %1 (%2 into the "
                                            "run); the times of the run do not depend on it.",
                    formatDuration(std::abs(one.wall_shift_ns)), place);
    }
    return text;
}

void note(RunInfo& info, std::string text)
{
    info.status_message += (info.status_message.empty() ? "" : " ") + text;
    if (info.power.quality)
        info.power.quality->reasons.push_back(std::move(text));
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
        static_cast<void>(m_heart->takePauses()); // from before
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

namespace {

bool isRest(const Interruption& one)
{
    return one.asleep_ns > 0 || one.stopped_ns > 0;
}

} // namespace

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

std::vector<std::string> describe(const std::vector<Interruption>& interruptions,
                                  Nanoseconds runBegin)
{
    std::vector<std::string> sentences;
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
    for (std::string& text : describe(interruptions, runBegin))
        note(info, std::move(text));
    if (std::ranges::any_of(interruptions, isRest) && info.power.quality)
        info.power.quality->verdict = QualityVerdict::Poor;
}

} // namespace ep::session
