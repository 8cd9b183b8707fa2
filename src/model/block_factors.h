// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/dtype.h"

#include <cstddef>
#include <cstdint>

namespace ep::model {

// Gives a block of ggml's, whose other bytes may be any, the factor d (and m) with these bits of an
// f16; where factors are of eight bits, numbers of about the same size. For checks of kernels.
void setFactors(DType dtype, std::byte* block, std::uint16_t half);

} // namespace ep::model
