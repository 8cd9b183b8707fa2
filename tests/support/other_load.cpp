// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/other_load.h"

#include <algorithm>

namespace ep::test {

void OtherLoad::add(double seconds, double endMw)
{
    m_sums.push_back(m_sums.back() + (m_mw.back() + endMw) / 2.0 * seconds);
    m_times.push_back(m_times.back() + seconds);
    m_mw.push_back(endMw);
}

OtherLoad::OtherLoad(Wave wave, double most_mw, Nanoseconds end, Chance& chance)
{
    const double until = toSeconds(end);
    constexpr double kStep = 1e-6; // s
    const auto stay = [&](double seconds) { add(seconds, m_mw.back()); };
    const double half = chance.ofSize(0.1, 1.0);
    if (wave == Wave::Square)
        stay(half * chance.uniform());
    while (wave != Wave::None && m_times.back() < until) {
        switch (wave) {
        case Wave::None:
            break;
        case Wave::Square:
            add(kStep, m_mw.back() > 0.0 ? 0.0 : most_mw);
            stay(half);
            break;
        case Wave::Bursts:
            stay(chance.between(0.2, 1.5));
            add(kStep, most_mw * chance.between(0.5, 1.0));
            stay(chance.between(0.1, 1.0));
            add(kStep, 0.0);
            break;
        case Wave::Ramps:
            add(chance.between(0.1, 1.0), most_mw * chance.uniform());
            stay(chance.between(0.1, 1.0));
            break;
        }
    }
}

double OtherLoad::until(Nanoseconds time) const
{
    const double at = toSeconds(time);
    if (m_times.size() < 2 || at <= 0.0)
        return 0.0;
    const auto after = std::ranges::upper_bound(m_times, at);
    const auto i = std::min(static_cast<std::size_t>(after - m_times.begin()), m_times.size() - 1);
    const double since = at - m_times[i - 1];
    const double slope = (m_mw[i] - m_mw[i - 1]) / (m_times[i] - m_times[i - 1]);
    return m_sums[i - 1] + since * (m_mw[i - 1] + slope * since / 2.0);
}

} // namespace ep::test
