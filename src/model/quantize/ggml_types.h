// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/format.h"
#include "ep/model/tensor_list.h"

namespace ep::model {

// The types that llama.cpp's llama-quantize, without a calibration text, gives the tensors of a
// model in a format: the same for every tensor, in files of autumn 2026 (llama.cpp 0c1e57098).
// Absent for those that it leaves as they are.
TensorTypes ggmlTypes(const TensorList& list, const FormatRow& format);

// A type that rows of this many columns can have in place of one whose blocks do not fit them.
DType ggmlFallback(DType type, std::int64_t columns);

} // namespace ep::model
