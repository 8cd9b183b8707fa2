// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/thread_clock.h"

#ifdef __APPLE__
#include <mach/mach.h>
#else
#include <ctime>
#include <pthread.h>
#endif

namespace ep {

namespace {

constexpr Nanoseconds kPerSecond = 1'000'000'000;

} // namespace

#ifdef __APPLE__
ThreadClock ThreadClock::ofThisThread()
{
    ThreadClock clock;
    const mach_port_t port = mach_thread_self();
    clock.m_thread = static_cast<std::int64_t>(port);
    clock.m_right = std::shared_ptr<void>(
        nullptr, [port](void*) { mach_port_deallocate(mach_task_self(), port); });
    return clock;
}

std::optional<Nanoseconds> ThreadClock::used() const
{
    thread_basic_info_data_t info{};
    mach_msg_type_number_t size = THREAD_BASIC_INFO_COUNT;
    if (thread_info(static_cast<mach_port_t>(m_thread), THREAD_BASIC_INFO,
                    reinterpret_cast<thread_info_t>(&info), &size)
        != KERN_SUCCESS)
        return std::nullopt;
    constexpr Nanoseconds kPerMicrosecond = 1'000;
    return kPerSecond * (info.user_time.seconds + info.system_time.seconds)
        + kPerMicrosecond * (info.user_time.microseconds + info.system_time.microseconds);
}
#else
ThreadClock ThreadClock::ofThisThread()
{
    ThreadClock clock;
    clockid_t id{};
    if (::pthread_getcpuclockid(::pthread_self(), &id) == 0)
        clock.m_thread = id;
    return clock;
}

std::optional<Nanoseconds> ThreadClock::used() const
{
    timespec time{};
    // Clock 0 is the time of day: no thread has it.
    if (m_thread == 0 || ::clock_gettime(static_cast<clockid_t>(m_thread), &time) != 0)
        return std::nullopt;
    return kPerSecond * time.tv_sec + time.tv_nsec;
}
#endif

} // namespace ep
