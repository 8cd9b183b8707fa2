// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/paired_test.h"

#include <cstdint>
#include <vector>

namespace ep::test {

// A machine on which two settings alternate. All values are in logarithms of the energy.
struct PairedWorld {
    double effect = 0.0; // how much more A needs: 0.05 is 5 %
    double noise = 0.02; // standard deviation of one run
    double warming = 0.0; // increase of the energy while the machine warms up
    double creep = 0.0; // increase with each run
    double outliers = 0.0; // share of runs that need 1.3 to 3 times the energy
    bool blocks = false; // every two pairs run in both orders, instead of random ones
};

// Has its own generator and transform, so that every standard library simulates the same.
std::vector<energy::PairedRatio> simulatePairs(const PairedWorld& world, int pairs,
                                               std::uint64_t seed);

} // namespace ep::test
