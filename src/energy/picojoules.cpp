// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/picojoules.h"

#include <algorithm>
#include <cmath>

namespace ep::energy {

namespace {
constexpr double kPerMillijoule = 1e9;
constexpr double kMost = 1e36;
constexpr double kExactIn64Bits = 9e18; // beyond it every double is whole already
} // namespace

Picojoules roundedPicojoules(double energy)
{
    if (std::abs(energy) < kExactIn64Bits)
        return std::llround(energy);
    return static_cast<Picojoules>(std::clamp(energy, -kMost, kMost));
}

Picojoules toPicojoules(Millijoules energy)
{
    return roundedPicojoules(energy.value * kPerMillijoule);
}

Millijoules fromPicojoules(Picojoules energy)
{
    return {toDouble(energy) / kPerMillijoule};
}

} // namespace ep::energy
