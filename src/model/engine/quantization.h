// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "weights.h"

namespace ep::model {

class ThreadPool;

// The weight in 8 bits, symmetric, with one scale per row (output channel): the largest magnitude
// of a row becomes 127, so that no weight changes by more than half a scale. In the same kind of
// memory as the source, which may have any type on the processor.
Weight quantized(const Weight& source);

// The weight quantized to blocks of that type by the processor, in the same kind of memory as the
// source; unchanged if its rows do not consist of whole blocks.
Weight quantizedInBlocks(const Weight& source, DType dtype, ThreadPool& pool);

// Moves a weight from the processor to an accelerator, where each row has scales of its own.
Weight onDevice(Weight weight, at::Device device);

inline constexpr const char* kQuantizationInWords =
    "int8 weights of the projections, one scale per row";

} // namespace ep::model
