// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "torch_compat.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ep::model {

// A kernel made from a function template of the source.
struct GpuKernel {
    std::string name; // name by which the kernel is launched: "tile_q4_k_f16"
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

// One launch of a kernel. The tensors are bound as buffers 0, 1, ..., and the constants as the
// buffer after the last tensor.
struct GpuLaunch {
    std::string kernel; // name of the kernel
    std::vector<at::Tensor> tensors;
    const void* constants = nullptr;
    std::size_t constant_bytes = 0;
    std::array<std::uint64_t, 3> threads{1, 1, 1}; // whole threadgroups
    std::array<std::uint64_t, 3> group{1, 1, 1}; // threads of a threadgroup
};

// Kernels compiled from source text. Belongs to the inference thread.
class GpuLibrary {
public:
    virtual ~GpuLibrary() = default;
    // Enqueues the kernel after LibTorch's work so far, without waiting. Throws if there is no
    // such kernel, and passes on what LibTorch throws.
    virtual void run(const GpuLaunch& launch) = 0;
};

// Throws if the source does not compile; null if this LibTorch has no compiler.
using CompileGpu = std::function<std::unique_ptr<GpuLibrary>(const GpuSource& source)>;

// The language of a vendor's GPUs, and its compiler.
struct GpuLanguage {
    std::string_view name; // "Metal"
    std::string_view gpus; // "Apple's GPUs"
    // Whether matmuls of many rows use our kernel, which multiplies tiles. Otherwise a kernel
    // dequantizes the weights and LibTorch multiplies, with the matrix units of the GPU.
    bool tiles = false;
    CompileGpu compile;
};

// Null for a device on which no kernels of ours run.
const GpuLanguage* gpuLanguageOf(at::DeviceType type);

// Compiles the source with LibTorch 2.6 or later, for its stream on Apple's GPU.
std::unique_ptr<GpuLibrary> compileMetal(const GpuSource& source);

} // namespace ep::model
