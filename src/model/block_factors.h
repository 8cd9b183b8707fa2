// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/dtype.h"

#include <cstddef>
#include <cstdint>

namespace ep::model {

// Sets the factor d (and m) of one of ggml's blocks, whose other bytes may be arbitrary, to the
// f16 with these bits; 8-bit factors get numbers of about the same size. For checks of kernels.
void setFactors(DType dtype, std::byte* block, std::uint16_t half);

} // namespace ep::model
