// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <random>
#include <vector>

// Data of published worked examples, and normal random values that are the same on every machine.
namespace ep::energy::test {

// NIST StRD, filter transmittance (R. Mavrodineaunu).
inline const std::vector<double> kMavro{
    2.0018, 2.0017, 2.0018, 2.0019, 2.0018, 2.0017, 2.0015, 2.0014, 2.0015, 2.0015,
    2.0017, 2.0018, 2.0018, 2.0019, 2.0019, 2.0021, 2.0020, 2.0016, 2.0014, 2.0013,
    2.0013, 2.0015, 2.0015, 2.0016, 2.0015, 2.0014, 2.0013, 2.0014, 2.0015, 2.0014,
    2.0015, 2.0016, 2.0015, 2.0016, 2.0019, 2.0020, 2.0020, 2.0021, 2.0022, 2.0023,
    2.0024, 2.0025, 2.0027, 2.0026, 2.0026, 2.0026, 2.0027, 2.0026, 2.0025, 2.0024};

// Student (1908), hours of sleep gained by two drugs; R's data set "sleep".
inline const std::vector<double> kSleepFirst{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
inline const std::vector<double> kSleepSecond{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};

inline std::vector<double> normalValues(std::mt19937_64& engine, int count, double mean, double sd)
{
    // Box & Muller, because std::normal_distribution differs between libraries.
    const auto uniform = [&] { return (static_cast<double>(engine() >> 11U) + 0.5) * 0x1p-53; };
    std::vector<double> values;
    for (int i = 0; i < count; ++i) {
        const double radius = std::sqrt(-2.0 * std::log(uniform()));
        values.push_back(mean + sd * radius * std::cos(2.0 * 3.14159265358979323846 * uniform()));
    }
    return values;
}

} // namespace ep::energy::test
