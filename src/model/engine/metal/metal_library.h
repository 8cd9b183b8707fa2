// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "torch_compat.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ep::model {

// One launch of a kernel. The tensors are bound as buffers 0, 1, ..., and the constants as the
// buffer after the last tensor.
struct MetalLaunch {
    std::string kernel; // host_name of the kernel
    std::vector<at::Tensor> tensors;
    const void* constants = nullptr;
    std::size_t constant_bytes = 0;
    std::array<std::uint64_t, 3> threads{1, 1, 1}; // whole threadgroups
    std::array<std::uint64_t, 3> group{1, 1, 1}; // threads of a threadgroup
};

// Kernels compiled from source text. Belongs to the inference thread.
class MetalLibrary {
public:
    virtual ~MetalLibrary() = default;
    // Enqueues the kernel after LibTorch's work so far, without waiting. Throws if there is no
    // such kernel, and passes on what LibTorch throws.
    virtual void run(const MetalLaunch& launch) = 0;
};

// Compiled by LibTorch 2.6 or later for its stream on Apple's GPU. Throws if the source does not
// compile; null if this build lacks the function.
std::unique_ptr<MetalLibrary> compileMetal(const std::string& source);

using CompileMetal = std::function<std::unique_ptr<MetalLibrary>(const std::string& source)>;

} // namespace ep::model
