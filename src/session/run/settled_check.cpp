// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/settled_check.h"

#include <cmath>
#include <cstddef>
#include <numeric>

namespace ep::session {

namespace {

constexpr std::size_t kSteps = 8;

} // namespace

SettledCheck::SettledCheck(double limit)
    : m_limit(limit)
{
}

void SettledCheck::add(Nanoseconds stepTime)
{
    m_times.push_back(static_cast<double>(stepTime));
    if (m_times.size() > kSteps)
        m_times.erase(m_times.begin());
}

bool SettledCheck::reached() const
{
    if (m_limit <= 0.0 || m_times.size() < kSteps)
        return false;
    const double count = static_cast<double>(m_times.size());
    const double mean = std::accumulate(m_times.begin(), m_times.end(), 0.0) / count;
    double squares = 0.0;
    for (const double time : m_times)
        squares += (time - mean) * (time - mean);
    const double sd = std::sqrt(squares / (count - 1.0));
    return mean > 0.0 && sd / mean < m_limit;
}

} // namespace ep::session
