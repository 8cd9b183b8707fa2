// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/paired_test.h"

#include <cstdint>
#include <vector>

namespace ep::test {

// A machine on which two settings take turns. Everything is in logarithms of the energy.
struct PairedWorld {
    double effect = 0.0; // how much more a needs: 0.05 is 5 %
    double noise = 0.02; // standard deviation of one run
    double warming = 0.0; // by which the energy rises while the machine warms up
    double creep = 0.0; // by which it rises with each run
    double outliers = 0.0; // share of runs that need 1.3 to 3 times as much
    bool blocks = false; // each two pairs run in both orders, instead of any at random
};

// An own generator and transform, so that every standard library simulates the same.
std::vector<energy::PairedRatio> simulatePairs(const PairedWorld& world, int pairs,
                                               std::uint64_t seed);

} // namespace ep::test
