// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint.h"
#include "kernels.h"
#include "torch_compat.h"

#include "ep/model/dtype.h"

namespace ep::model {

at::ScalarType scalarType(DType dtype); // f32 for all types that are not 16 bits wide

// The stored values as a tensor on the processor, in place if address and order allow it; for
// blocks, the bytes [.., bytes of a row].
at::Tensor wrap(const Checkpoint::Entry& entry, DType dtype);

// The stored values in their own type, even if the engine does not compute in that type: integers
// and F64 unchanged, 8-bit floats as bytes. Undefined if the type is unknown.
at::Tensor wrapStored(const Checkpoint::Entry& entry);

// The scales and biases of formats with separate scales, in the mapped file; empty for others.
GroupScales groupsOf(const Checkpoint::Entry& entry);

// Whether a weight may have this type, which becomes f32 when loading: F64, and integers in GGUF
// files.
bool becomesF32(const Checkpoint::Entry& entry);

// The row factors, f32 [rows]; undefined if there are none.
at::Tensor rowScalesOf(const Checkpoint::Entry& entry, std::int64_t rows);

} // namespace ep::model
