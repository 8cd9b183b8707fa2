// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

namespace ep::test::metal {

// A kernel of products.metal, compiled as C++: what one thread of a threadgroup does.
using ImitatedKernel = void (*)(void* const* buffers, const std::array<std::uint32_t, 3>& group,
                                unsigned thread);

// By the function of the text that it is: "tileProduct<Q4_K, InF16>".
const std::map<std::string, ImitatedKernel>& imitatedKernels();

} // namespace ep::test::metal
