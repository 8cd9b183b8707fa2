// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/tick_clock.h"

#include "ep/core/clock.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace ep::session {
namespace {

constexpr int kReadings = 3; // the fastest reading is used: the first one has cold caches

} // namespace

// Without a tick between the readings, all timestamps are clamped, so any rate will do.
TickScale::TickScale(const TickReading& from, const TickReading& to)
    : m_from(from)
    , m_rate(static_cast<double>(std::max<Nanoseconds>(1, to.time - from.time))
             / static_cast<double>(std::max<std::int64_t>(1, to.tick - from.tick)))
{
}

TickReading TickClock::read() const
{
    TickReading best;
    auto narrowest = std::numeric_limits<std::int64_t>::max();
    for (int i = 0; i < kReadings; ++i) {
        const std::int64_t before = m_ticks();
        const Nanoseconds time = m_clock();
        const std::int64_t width = m_ticks() - before;
        if (width < narrowest) {
            narrowest = width;
            best = {.tick = before + width / 2, .time = time};
        }
    }
    return best;
}

#if defined(__linux__) && defined(__x86_64__)

namespace {

std::int64_t timeStampCounter()
{
    unsigned processor = 0;
    return static_cast<std::int64_t>(
        __builtin_ia32_rdtscp(&processor)); // waits for preceding instructions
}

} // namespace

// The kernel uses the counter as clock only if it is consistent across all cores.
std::optional<TickClock> TickClock::ofSystem()
{
    std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    std::string source;
    if (!(file >> source) || source != "tsc")
        return std::nullopt;
    return TickClock(timeStampCounter, monotonicNow);
}

#else

std::optional<TickClock> TickClock::ofSystem()
{
    return std::nullopt;
}

#endif

} // namespace ep::session
