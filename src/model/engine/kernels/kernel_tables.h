// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kernels.h"

#include <vector>

namespace ep::model {

// All variants that this build has and this machine can run, the best one first, the portable one
// last.
std::vector<const Kernels*> kernelTables();

} // namespace ep::model
