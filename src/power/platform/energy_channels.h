// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/energy_value.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Selects the energy channels of a rail among IOReport's hundreds. Makes no system calls.
namespace ep::power {

struct EnergyChannel {
    std::string name; // "DIE_0_CPU Energy"
    std::string unit; // "mJ", possibly with blanks around it

    bool operator==(const EnergyChannel&) const = default;
};

// Millijoules per step of the unit; absent for units other than energy.
std::optional<double> millijoulesPerUnit(std::string_view unit);

// Indices of the channels whose sum is the rail. Exact names, and one family only: the whole
// ("DRAM"), otherwise its packages ("DRAM0", "DRAM1"), otherwise their dies ("DRAM0_0",
// "DRAM0_1"); likewise "CPU Energy", otherwise "DIE_0_CPU Energy", "DIE_1_CPU Energy". A looser
// match would count energy twice.
PerRail<std::vector<std::size_t>> chooseChannels(const std::vector<EnergyChannel>& channels);

} // namespace ep::power
