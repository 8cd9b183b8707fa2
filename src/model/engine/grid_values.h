// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "torch_compat.h"

#include "ep/model/dtype.h"

namespace ep::model {

// The function in block_values.cpp for a format of less than four bits that is not a Q format:
// converts blocks [rows, blocks, bytes of a block] to values; null for others.
at::Tensor (*gridValuesOf(DType dtype))(const at::Tensor& blocks);

} // namespace ep::model
