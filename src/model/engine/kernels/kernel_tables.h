// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kernels.h"

#include <string_view>
#include <vector>

namespace ep::model {

// All variants that this build has and this machine can run, the best one first, the portable one
// last.
std::vector<const Kernels*> kernelTables();

// The first of them within the limit that a value of ATEN_CPU_CAPABILITY sets; see kernels().
const Kernels& bestKernels(std::string_view capability);

} // namespace ep::model
