// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sources/powermetrics_source.h"

#include <string>
#include <vector>

namespace ep::power {

struct PowermetricsProbe {
    bool installed = false; // the program exists
    bool works = false; // a reading arrived
    std::string problem; // why it does not work
    std::vector<Rail> rails;
    std::vector<std::string> samplers; // samplers that this system knows
};

// Runs the exact command of a measurement until its first reading: a sudoers rule may pin
// every argument, so only that shows whether it works. Blocks for at most about 3 s; any
// thread.
PowermetricsProbe probePowermetrics(const PowermetricsCommand& command, int intervalMs);

} // namespace ep::power
