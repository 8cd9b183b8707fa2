// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/words.h"

#include <string_view>

namespace ep::energy {

// Where an energy comes from, in the words of terminal, window, reports and diagnosis.
struct EnergyOrigin {
    const char* label; // "modelled"
    const char* explanation; // "from a model of the machine, not from a sensor"
    const char* statement; // of a run: "Measured by %1", where %1 is the power source
    // Why only the time of such a run is explained; null: its energy can be explained.
    const char* why_time = nullptr;
};

// A power source that did not measure this machine during the run replaces the provenance: its
// energies are "replayed" or "simulated", unless they are missing.
const EnergyOrigin& originOf(std::string_view source, Provenance provenance);
bool measuresThisMachine(std::string_view source); // false: replayed or simulated

} // namespace ep::energy
