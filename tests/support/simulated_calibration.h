// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/synthetic_truth.h"

#include "ep/energy/calibration.h"

#include <cstdint>
#include <string>
#include <vector>

// A calibration of the machine that made a run of known truth: what it would do and what a sensor
// would show of it, in simulated time.
namespace ep::test {

struct CalibrationShape {
    double noise = 0.005; // of the energy of a window
    double drift = 0.01; // busy power wanders by this share either way, in two minutes
    double timestamp_ms = 0.5; // the ends of windows are off by up to this, either way
    double bursts_per_s = 0.0; // of other processes, 5 W for 100 ms
    std::string hot{}; // a kind that uses less when it is replayed, since it stays in a cache
    double hot_share = 0.0; // by how much
    // Standard deviation of what a kind uses when it is replayed, relative to the same in a token.
    double transfer = 0.005;
    double overhead = 0.0; // share of a token's energy that no kind has
    std::uint32_t seed = 1;
    energy::CalibrationSettings settings{};
};

struct SimulatedKind {
    CalibratedKind kind; // with its work in a token
    double mj = 0.0; // true dynamic energy in a token
};
// The kinds of the tokens that a run decoded.
std::vector<SimulatedKind> kindsOf(const Truth& truth);

struct SimulatedCalibration {
    std::vector<SimulatedKind> kinds;
    energy::Calibration result;
    double seconds = 0.0; // duration
    double trueShare(std::size_t kind) const;
};
SimulatedCalibration simulateCalibration(const Truth& truth, const CalibrationShape& shape);

} // namespace ep::test
