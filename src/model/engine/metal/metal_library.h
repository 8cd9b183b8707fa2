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
    std::string kernel; // its host_name
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
    // Enqueues the kernel after the work that LibTorch has been given so far, without waiting.
    // Throws if there is no such kernel, or what LibTorch throws.
    virtual void run(const MetalLaunch& launch) = 0;
};

// By LibTorch, from 2.6 on, for its stream of Apple's GPU. Throws if the text does not compile;
// null where this build has no such thing.
std::unique_ptr<MetalLibrary> compileMetal(const std::string& source);

using CompileMetal = std::function<std::unique_ptr<MetalLibrary>(const std::string& source)>;

} // namespace ep::model
