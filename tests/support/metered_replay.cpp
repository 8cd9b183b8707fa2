// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/metered_replay.h"

#include "ep/core/clock.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>
#include <utility>

namespace ep::test {

WorkMeter::WorkMeter(double idleWatts)
    : m_idle(idleWatts)
    , m_since(monotonicNow())
{
}

void WorkMeter::draw(double watts)
{
    const Nanoseconds now = monotonicNow();
    const double joules = joulesUntil(now);
    const std::lock_guard lock(m_mutex);
    m_joules = joules;
    m_since = now;
    m_watts = watts;
}

double WorkMeter::joulesUntil(Nanoseconds time)
{
    const std::lock_guard lock(m_mutex);
    return m_joules + (m_idle + m_watts) * toSeconds(time - m_since);
}

MeteredReplay::MeteredReplay(std::shared_ptr<WorkMeter> meter, std::vector<MeteredPart> parts)
    : m_meter(std::move(meter))
    , m_script(std::move(parts))
{
    for (const MeteredPart& part : m_script)
        m_parts.push_back({.name = part.name, .calls = 1, .bytes = part.bytes});
}

Result<model::ReplayTimes> MeteredReplay::work(double seconds, double joules, Nanoseconds duration,
                                               const CancelToken& cancel)
{
    using namespace std::chrono;
    const auto count =
        static_cast<std::int64_t>(std::ceil(toSeconds(duration) / std::max(1e-9, seconds)));
    const Nanoseconds begin = monotonicNow();
    const Nanoseconds end =
        begin + static_cast<Nanoseconds>(std::llround(1e9 * seconds * static_cast<double>(count)));
    m_meter->draw(joules / seconds);
    while (monotonicNow() < end && !cancel.cancelled())
        std::this_thread::sleep_for(
            std::min(nanoseconds(end - monotonicNow()), nanoseconds(milliseconds(5))));
    m_meter->draw(0.0);
    if (cancel.cancelled())
        return Error{ErrorCode::Cancelled, "The replay was cancelled."};
    return model::ReplayTimes{{begin, end}, count};
}

Result<model::ReplayTimes> MeteredReplay::repeatParts(std::span<const int> passes,
                                                      Nanoseconds duration,
                                                      const CancelToken& cancel)
{
    double seconds = 0.0;
    double joules = 0.0;
    for (std::size_t i = 0; i < passes.size(); ++i) {
        const MeteredPart& part = m_script[i];
        seconds += passes[i] * part.seconds;
        joules += passes[i] * (part.joules_alone > 0.0 ? part.joules_alone : part.joules);
    }
    return work(seconds, joules, duration, cancel);
}

Result<model::ReplayTimes> MeteredReplay::repeatTokens(std::optional<model::ExtraPasses> extra,
                                                       Nanoseconds duration,
                                                       const CancelToken& cancel)
{
    double seconds = 0.0;
    double joules = 0.0;
    for (std::size_t i = 0; i < m_script.size(); ++i) {
        const double times = extra && extra->part == i ? 1.0 + extra->times : 1.0;
        seconds += times * m_script[i].seconds;
        joules += times * m_script[i].joules;
    }
    return work(seconds, joules, duration, cancel);
}

} // namespace ep::test
