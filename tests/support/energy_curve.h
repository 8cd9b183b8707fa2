// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace ep::test {

// Gives the same numbers with every standard library.
class Dice {
public:
    explicit Dice(std::uint32_t seed)
        : m_engine(seed)
    {
    }
    double uniform(double low, double high)
    {
        return low + (high - low) * static_cast<double>(m_engine() >> 5) / 134217728.0;
    }
    double normal()
    {
        double sum = -6.0;
        for (int i = 0; i < 12; ++i)
            sum += uniform(0.0, 1.0);
        return sum;
    }

private:
    std::mt19937 m_engine;
};

// The true energy of a simulated machine over time, in seconds and joules from 0 on.
class EnergyCurve {
public:
    double end() const { return m_edges.back().time; }

    void append(double seconds, double watts)
    {
        const Edge last = m_edges.back();
        m_edges.push_back({last.time + seconds, last.joules + seconds * watts});
    }

    // Adds a constant power between two edges.
    void add(double begin, double end, double watts)
    {
        for (Edge& edge : m_edges)
            edge.joules += watts * (std::clamp(edge.time, begin, end) - begin);
    }

    double joulesAt(double time) const
    {
        const auto after = std::ranges::upper_bound(m_edges, time, {}, &Edge::time);
        if (after == m_edges.begin() || after == m_edges.end())
            return after == m_edges.begin() ? 0.0 : m_edges.back().joules;
        const Edge& a = *(after - 1);
        return a.joules + (after->joules - a.joules) * (time - a.time) / (after->time - a.time);
    }

    // What a sensor reads: windows of about 100 ms from a counter in whole millijoules, each with
    // 0.5 % of noise.
    std::vector<PowerSample> read(std::uint32_t seed) const
    {
        std::vector<PowerSample> samples;
        Dice dice(seed);
        double time = 0.013;
        while (time < end()) {
            const double next = time + 0.1 + 0.001 * dice.uniform(-1.0, 1.0);
            const double joules = (joulesAt(next) - joulesAt(time)) * (1.0 + 0.005 * dice.normal());
            PowerSample sample;
            sample.window = {std::llround(time * 1e9), std::llround(next * 1e9)};
            sample.energy_mj[Rail::Cpu] = Millijoules{std::round(joules * 1e3)};
            sample.power_mw[Rail::Cpu] =
                meanPower(*sample.energy_mj[Rail::Cpu], sample.window.duration_ns());
            sample.total_mw = totalOf(sample.power_mw);
            sample.arrival_ns = sample.window.end_ns;
            samples.push_back(sample);
            time = next;
        }
        return samples;
    }

private:
    struct Edge {
        double time = 0.0;
        double joules = 0.0;
    };
    std::vector<Edge> m_edges{{}};
};

} // namespace ep::test
