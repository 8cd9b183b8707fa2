// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint.h"
#include "kernels.h"
#include "torch_compat.h"

#include "ep/model/dtype.h"

namespace ep::model {

at::ScalarType scalarType(DType dtype); // f32 for all types that are not 16 bits wide

// The stored values as a tensor on the processor, in place if their address and order allow it; of
// blocks the bytes [.., bytes of a row].
at::Tensor wrap(const Checkpoint::Entry& entry, DType dtype);

// The scales and biases of MLX's formats, in the mapped file; empty for others.
GroupScales groupsOf(const Checkpoint::Entry& entry);

} // namespace ep::model
