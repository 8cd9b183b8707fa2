// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/power/powermetrics_source.h"

#include <string>
#include <vector>

namespace ep::power {

struct PowermetricsProbe {
    bool installed = false; // the program exists
    bool works = false; // a reading arrived
    std::string problem; // why not
    std::vector<Rail> rails;
    std::vector<std::string> samplers; // that this system knows
};

// Runs the very command of a measurement until its first reading: a sudoers rule may pin every
// argument, so nothing else tells whether it would work. Blocks, at most about 3 s; any thread.
PowermetricsProbe probePowermetrics(const PowermetricsCommand& command, int intervalMs);

} // namespace ep::power
