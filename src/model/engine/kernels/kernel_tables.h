// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kernels.h"

#include <string_view>
#include <vector>

namespace ep::model {

// All variants that this build contains and this machine can run, best first, portable
// last.
std::vector<const Kernels*> kernelTables();

// The first variant within the limit that a value of ATEN_CPU_CAPABILITY sets; see kernels().
const Kernels& bestKernels(std::string_view capability);

} // namespace ep::model
