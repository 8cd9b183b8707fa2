// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/kernels/block_layouts.h"

// The blocks that llama.cpp's quantizers make without importance weights of the values.
namespace ep::model {

BlockQ8_0 toQ8_0(const float* x);
BlockQ4_0 toQ4_0(const float* x);
BlockQ4_1 toQ4_1(const float* x);
BlockQ5_0 toQ5_0(const float* x);
BlockQ5_1 toQ5_1(const float* x);
BlockIQ4_NL toIQ4_NL(const float* x);
BlockIQ4_XS toIQ4_XS(const float* x);
BlockMXFP4 toMXFP4(const float* x);
BlockNVFP4 toNVFP4(const float* x);
BlockQ2_K toQ2_K(const float* x);
BlockQ3_K toQ3_K(const float* x);
BlockQ4_K toQ4_K(const float* x);
BlockQ5_K toQ5_K(const float* x);
BlockQ6_K toQ6_K(const float* x);

} // namespace ep::model
