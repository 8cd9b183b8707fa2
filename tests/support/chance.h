// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>
#include <random>

namespace ep::test {

// Random numbers that are the same with every standard library.
class Chance {
public:
    explicit Chance(std::uint32_t seed)
        : m_engine(seed)
    {
    }
    double uniform() { return static_cast<double>(m_engine() >> 5) / 134217728.0; } // in [0, 1)
    double between(double low, double high) { return low + (high - low) * uniform(); }
    double signedUniform() { return 2.0 * uniform() - 1.0; }
    // Evenly distributed logarithm.
    double ofSize(double low, double high) { return low * std::pow(high / low, uniform()); }
    double normal()
    {
        double sum = -6.0;
        for (int i = 0; i < 12; ++i)
            sum += uniform();
        return sum;
    }
    double exponential(double mean) { return -mean * std::log(1.0 - uniform()); }

private:
    std::mt19937 m_engine;
};

} // namespace ep::test
