// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/synthetic_truth.h"

#include "ep/energy/calibration.h"

#include <cstdint>
#include <string>
#include <vector>

// A calibration of the machine that made a run with known truth: what it would do and what a
// sensor would show, in simulated time.
namespace ep::test {

struct CalibrationShape {
    double noise = 0.005; // relative to a window's energy
    double drift = 0.01; // busy power varies by this share up and down, over two minutes
    double timestamp_ms = 0.5; // the ends of windows are off by up to this much either way
    double bursts_per_s = 0.0; // bursts by other processes, 5 W for 100 ms
    std::string hot{}; // a kind that uses less energy when replayed, since it stays in a cache
    double hot_share = 0.0; // share of the energy that it does not use
    // Standard deviation of a kind's energy when replayed, relative to its energy in a token.
    double transfer = 0.005;
    double overhead = 0.0; // share of a token's energy that belongs to no kind
    std::uint32_t seed = 1;
    energy::CalibrationSettings settings{};
};

struct SimulatedKind {
    CalibratedKind kind; // including its work per token
    double mj = 0.0; // true dynamic energy per token
};
// The kinds in the tokens that the run decoded.
std::vector<SimulatedKind> kindsOf(const Truth& truth);

struct SimulatedCalibration {
    std::vector<SimulatedKind> kinds;
    energy::Calibration result;
    double seconds = 0.0; // duration
    double trueShare(std::size_t kind) const;
};
SimulatedCalibration simulateCalibration(const Truth& truth, const CalibrationShape& shape);

} // namespace ep::test
