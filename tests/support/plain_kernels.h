// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/kernels/kernels.h"

// Kernels whose native products of pairs of 16-bit numbers and of tiles are computed in plain
// arithmetic, so that all code around those instructions is tested on processors without them.
namespace ep::test {

const model::Kernels* plainPairKernels();
const model::Kernels* plainTileKernels();

} // namespace ep::test
