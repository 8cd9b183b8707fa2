// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/comparison.h"

namespace ep::energy {

// The difference tree and the differences by layer and component.
void compareNodes(const std::vector<RunGroup>& groups, Comparison& comparison);

} // namespace ep::energy
