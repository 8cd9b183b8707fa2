// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/machine_record.h"
#include "ep/energy/machine_costs.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace ep::session {

// The limits of a format that was not measured, or cannot be as a mixture of types: the memory is
// that of the machine, and products take about as long as in the measured format of the nearest
// size. limits: by number format.
std::optional<energy::MachineCosts>
derivedCosts(const std::string& dtype, const std::map<std::string, MachineRecord>& limits);

std::int64_t cacheBytes(); // the largest cache of this machine's processor; 0: unknown

} // namespace ep::session
