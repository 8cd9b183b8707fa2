// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "weights.h"

namespace ep::model {

// Values of a block-quantized weight as f32, with as many elements as the weight, by LibTorch's
// plain functions. Accelerators without our kernels multiply with them. Without the row
// factors.
at::Tensor valuesOf(const Weight& weight);

} // namespace ep::model
