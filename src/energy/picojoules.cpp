// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/picojoules.h"

#include <algorithm>
#include <cmath>

namespace ep::energy {

namespace {
constexpr double kMaxPicojoules = 1e36;
constexpr double kExactIn64Bits = 9e18; // larger doubles are integers anyway
} // namespace

Picojoules roundedPicojoules(double energy)
{
    if (std::abs(energy) < kExactIn64Bits)
        return std::llround(energy);
    return static_cast<Picojoules>(std::clamp(energy, -kMaxPicojoules, kMaxPicojoules));
}

Picojoules toPicojoules(Millijoules energy)
{
    return roundedPicojoules(energy.value * kPicojoulesPerMillijoule);
}

Millijoules fromPicojoules(Picojoules energy)
{
    return {toDouble(energy) / kPicojoulesPerMillijoule};
}

} // namespace ep::energy
