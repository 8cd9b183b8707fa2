// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace ep::model {

// A kernel made from a function template of the source.
struct GpuKernel {
    std::string name; // by which it is launched: "tile_q4_k_f16"
    std::string function; // "tileMatmul<Q4_K, InF16>"
    std::string constants; // their type: "Shape"
    int buffers = 0; // not counting the constants
};

// Kernels in Metal's language. NVIDIA's compiler takes the same text, with cuda_words.metal in
// place of Metal's library.
struct GpuSource {
    std::string text;
    std::vector<GpuKernel> kernels;
};

// The text for Metal: the source, and a line that instantiates each kernel.
std::string metalText(const GpuSource& source);
// The text for NVIDIA's compiler: the source, and a function for each kernel.
std::string cudaText(const GpuSource& source);

} // namespace ep::model
