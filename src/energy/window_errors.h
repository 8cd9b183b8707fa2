// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/energy_timeline.h"

#include <vector>

namespace ep::energy {

// Expected errors of a sensor's readings, estimated from the windows themselves.
struct WindowErrors {
    double step_mj = 0.0; // resolution of the energies; 0: none
    double timestamp_ns = 0.0; // deviation of a window's end; its square is half that of the gaps
    // Standard deviation of each window's energy: gain noise of 0.5 % of each rail, the step of a
    // counter at both ends, and the power at the ends during `timestamp_ns`.
    std::vector<double> sd_mj;

    explicit WindowErrors(const EnergyTimeline& timeline);
};

// Mean power of a window in milliwatts; 0 if it has no total.
double windowPower(const EnergyTimeline::Window& window);

} // namespace ep::energy
