// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/comparison.h"

namespace ep::energy {

// Fills in GroupFacts::quality.
void compareQuality(const std::vector<RunGroup>& groups, Comparison& comparison);

} // namespace ep::energy
