// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "weights.h"

namespace ep::model {

// The values of a weight in blocks, as f32 with as many elements as the weight, by LibTorch's plain
// functions: what accelerators, for which there are no kernels, multiply by. Without the factors of
// rows.
at::Tensor valuesOf(const Weight& weight);

} // namespace ep::model
