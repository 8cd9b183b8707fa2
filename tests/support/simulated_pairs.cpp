// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/simulated_pairs.h"

#include <array>
#include <cmath>
#include <numbers>
#include <random>

namespace ep::test {

std::vector<energy::PairedRatio> simulatePairs(const PairedWorld& world, int pairs,
                                               std::uint64_t seed)
{
    std::mt19937_64 engine(seed * 7919 + 13);
    const auto uniform = [&] { return (static_cast<double>(engine() >> 11) + 0.5) * 0x1.0p-53; };
    const auto normal = [&] {
        const double radius = std::sqrt(-2.0 * std::log(uniform()));
        return radius * std::cos(2.0 * std::numbers::pi * uniform());
    };
    std::vector<energy::PairedRatio> ratios;
    bool aFirst = false;
    int run = 0;
    for (int i = 0; i < pairs; ++i) {
        aFirst = world.blocks && i % 2 == 1 ? !aFirst : uniform() < 0.5;
        std::array<double, 2> logs{};
        for (int turn = 0; turn < 2; ++turn, ++run) {
            const bool a = (turn == 0) == aFirst;
            double log = (a ? std::log1p(world.effect) : 0.0) + world.noise * normal();
            log += world.creep * run + world.warming * (1.0 - std::exp(-run / 10.0));
            if (uniform() < world.outliers)
                log += std::log(1.3 + 1.7 * uniform());
            logs.at(a ? 0 : 1) = log;
        }
        ratios.push_back({.log_ratio = logs[0] - logs[1],
                          .order = aFirst ? energy::PairOrder::AFirst : energy::PairOrder::BFirst});
    }
    return ratios;
}

} // namespace ep::test
