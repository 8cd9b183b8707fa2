// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/units.h"

#include <cstdint>

namespace ep::energy {

// Energies are added up in whole picojoules, so that sums are exact. 64 bits would overflow at 9.2
// MJ, which a node of 5.6 kW uses in half an hour.
__extension__ typedef __int128 Picojoules;

// Rounded; at most 1e24 J, far beyond any reading and far below the largest sum.
Picojoules toPicojoules(Millijoules energy);
Millijoules fromPicojoules(Picojoules energy);

// Most values fit into 64 bits, where conversion is a single instruction.
inline double toDouble(Picojoules energy)
{
    const auto low = static_cast<std::int64_t>(energy);
    return low == energy ? static_cast<double>(low) : static_cast<double>(energy);
}

// Rounds to the nearest integer.
Picojoules roundedPicojoules(double energy);

} // namespace ep::energy
