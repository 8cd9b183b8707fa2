// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace ep::test::metal {

// A kernel from the text for Metal, compiled as C++.
struct ImitatedKernel {
    // The work of one thread in a threadgroup. The constants come after the other buffers.
    void (*run)(void* const* buffers, const std::array<std::uint32_t, 3>& group, unsigned thread);
    std::size_t buffers = 0; // not counting the constants
    std::size_t constant_bytes = 0;
};

// Kernels by the function in the text: "tileMatmul<Q4_K, InF16>".
const std::map<std::string, ImitatedKernel>& imitatedKernels();

} // namespace ep::test::metal
