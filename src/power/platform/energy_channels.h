// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/energy_value.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Which of IOReport's hundreds of energy channels make a rail. No system calls here.
namespace ep::power {

struct EnergyChannel {
    std::string name; // "DIE_0_CPU Energy"
    std::string unit; // "mJ", possibly with blanks around it

    bool operator==(const EnergyChannel&) const = default;
};

// Millijoules in one step of the unit; nothing for units that are no energy.
std::optional<double> millijoulesPerUnit(std::string_view unit);

// Indices of the channels whose sum is the rail. By exact name, and of one family only: the whole
// ("DRAM"), else its packages ("DRAM0", "DRAM1"), else their dies ("DRAM0_0", "DRAM0_1"); likewise
// "CPU Energy", else "DIE_0_CPU Energy", "DIE_1_CPU Energy". Anything looser counts energy twice.
PerRail<std::vector<std::size_t>> chooseChannels(const std::vector<EnergyChannel>& channels);

} // namespace ep::power
