// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ep::energy {

// The 97.5 % point of Student's t divided by that of the normal distribution, to 1 % from 3
// degrees of freedom on: the factor by which an estimated deviation must be increased.
constexpr double studentFactor(double freedom)
{
    return 1.0 + 1.37 / freedom + 1.0 / (freedom * freedom);
}

} // namespace ep::energy
