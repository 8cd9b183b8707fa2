// SPDX-License-Identifier: GPL-3.0-or-later
#include "tick_timer.h"

#include "ep/core/clock.h"

#include <fstream>
#include <limits>
#include <string>

namespace ep::session {
namespace {

constexpr int kReadings = 3; // of which one is the closest: the first meets cold caches

} // namespace

TickTimer::TickTimer(Ticks ticks, Clock clock)
    : m_ticks(ticks)
    , m_clock(clock)
    , m_anchor(anchor())
{
}

TickTimer::Anchor TickTimer::anchor() const
{
    Anchor best;
    auto narrowest = std::numeric_limits<std::uint64_t>::max();
    for (int i = 0; i < kReadings; ++i) {
        const std::uint64_t before = m_ticks();
        const Nanoseconds time = m_clock();
        const std::uint64_t width = m_ticks() - before;
        if (width < narrowest) {
            narrowest = width;
            best = {.tick = before + width / 2, .time = time};
        }
    }
    return best;
}

std::uint32_t TickTimer::mark()
{
    m_marks.push_back(m_ticks());
    return static_cast<std::uint32_t>(m_marks.size() - 1);
}

Status TickTimer::read(std::vector<Nanoseconds>& times)
{
    const Anchor now = anchor();
    const auto ticks = static_cast<double>(now.tick - m_anchor.tick);
    const double rate = ticks > 0.0 ? static_cast<double>(now.time - m_anchor.time) / ticks : 0.0;
    times.clear();
    for (const std::uint64_t mark : m_marks) {
        const auto since = static_cast<double>(mark - m_anchor.tick);
        times.push_back(m_anchor.time + static_cast<Nanoseconds>(since * rate));
    }
    m_marks.clear();
    m_anchor = now;
    return {};
}

#if defined(__linux__) && defined(__x86_64__)

namespace {

std::uint64_t timeStampCounter()
{
    unsigned processor = 0;
    return __builtin_ia32_rdtscp(&processor); // waits for what was computed before
}

} // namespace

// The kernel takes its time from the counter only where all cores count alike.
std::unique_ptr<model::SpanTimer> makeTickTimer()
{
    std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    std::string source;
    if (!(file >> source) || source != "tsc")
        return nullptr;
    return std::make_unique<TickTimer>(timeStampCounter, monotonicNow);
}

#else

std::unique_ptr<model::SpanTimer> makeTickTimer()
{
    return nullptr;
}

#endif

} // namespace ep::session
