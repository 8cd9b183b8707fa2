// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/power_log.h"

#include "ep/energy/energy_timeline.h"

#include <algorithm>

namespace ep::session {

void PowerLog::add(const PowerSample& sample)
{
    const std::lock_guard lock(m_mutex);
    m_samples.push_back(sample);
    for (const Rail rail : energy::railsOf({&sample, 1})) {
        if (std::find(m_rails.begin(), m_rails.end(), rail) == m_rails.end())
            m_rails.push_back(rail);
    }
    m_changed.notify_all();
}

void PowerLog::fail(const Message& problem)
{
    const std::lock_guard lock(m_mutex);
    if (!m_problem)
        m_problem = problem;
    m_changed.notify_all();
}

std::optional<Message> PowerLog::problem() const
{
    const std::lock_guard lock(m_mutex);
    return m_problem;
}

std::vector<PowerSample> PowerLog::all() const
{
    std::vector<PowerSample> samples;
    {
        const std::lock_guard lock(m_mutex);
        samples = m_samples;
    }
    foldLateReadings(samples);
    return samples;
}

std::vector<PowerSample> PowerLog::recent(Nanoseconds since) const
{
    const std::lock_guard lock(m_mutex);
    auto first = m_samples.end();
    while (first != m_samples.begin() && (first - 1)->window.end_ns > since)
        --first;
    if (first == m_samples.end() && !m_samples.empty())
        --first;
    return {first, m_samples.end()};
}

std::vector<Rail> PowerLog::rails() const
{
    const std::lock_guard lock(m_mutex);
    return m_rails;
}

std::chrono::milliseconds PowerLog::lateness() const
{
    constexpr std::size_t kNewest = 50; // several batches of a counter at 10 samples per second
    const std::lock_guard lock(m_mutex);
    Nanoseconds latest = 0;
    for (std::size_t i = m_samples.size(); i > 0 && i + kNewest > m_samples.size(); --i)
        latest = std::max(latest, m_samples[i - 1].arrival_ns - m_samples[i - 1].window.end_ns);
    return std::chrono::ceil<std::chrono::milliseconds>(std::chrono::nanoseconds(latest));
}

bool PowerLog::waitForFirst(std::chrono::milliseconds timeout, const CancelToken& cancel) const
{
    return waitFor([this] { return !m_samples.empty(); }, timeout, cancel);
}

bool PowerLog::waitUntilCovered(Nanoseconds end, std::chrono::milliseconds timeout,
                                const CancelToken& cancel) const
{
    return waitFor([&] { return !m_samples.empty() && m_samples.back().window.end_ns >= end; },
                   timeout, cancel);
}

bool PowerLog::waitFor(const std::function<bool()>& reached, std::chrono::milliseconds timeout,
                       const CancelToken& cancel) const
{
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    std::unique_lock lock(m_mutex);
    while (!reached()) {
        const auto now = std::chrono::steady_clock::now();
        if (m_problem || cancel.cancelled() || now >= deadline)
            return false;
        m_changed.wait_until(lock, std::min(deadline, now + kCancelPoll));
    }
    return true;
}

} // namespace ep::session
