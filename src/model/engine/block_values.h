// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "weights.h"

namespace ep::model {

// Returns the values of a block-quantized weight as f32, with as many elements as the weight, but
// without the row factors. Uses LibTorch's plain functions, for accelerators without our kernels.
at::Tensor valuesOf(const Weight& weight);

} // namespace ep::model
