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

// The same by the name of the stored type, also of types that nothing is computed in: whole numbers
// and F64 as they are, numbers of 8 bits with a point as bytes. Undefined if the type is unknown.
at::Tensor wrapStored(const Checkpoint::Entry& entry);

// The scales and biases of formats with scales apart, in the mapped file; empty for others.
GroupScales groupsOf(const Checkpoint::Entry& entry);

// Whether a weight may hold numbers of such a type, which become f32 on loading: F64, and whole
// ones of GGUF files.
bool becomesF32(const Checkpoint::Entry& entry);

// The numbers by which rows are multiplied, f32 [rows]; undefined if there are none.
at::Tensor rowScalesOf(const Checkpoint::Entry& entry, std::int64_t rows);

} // namespace ep::model
