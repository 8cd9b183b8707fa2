// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "torch_compat.h"

#include "ep/model/dtype.h"

namespace ep::model {

// Returns the function with which block_values.cpp converts blocks [rows, blocks, bytes of a block]
// of this format to values; null for formats other than IQ1 to IQ3, TQ1, TQ2, Q1_0 and Q2_0.
at::Tensor (*gridValuesOf(DType dtype))(const at::Tensor& blocks);

} // namespace ep::model
