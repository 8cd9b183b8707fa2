// SPDX-License-Identifier: GPL-3.0-or-later
// The only file that includes LibTorch and depends on its version (1.13 to 2.x). Do not include
// torch/torch.h: it takes three times as long to compile and adds nothing that we use.
#pragma once

#include "ep/core/message.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/InferenceMode.h>
#include <torch/version.h>

#include <dlfcn.h>
#include <map>
#include <string>
#include <string_view>

#if __has_include(<torch/mps.h>)
#include <torch/mps.h>
#define EP_HAS_TORCH_MPS 1
#else
#define EP_HAS_TORCH_MPS 0
#endif

namespace caffe2 {
// Declared in caffe2/core/common.h, which Debian's package lacks.
TORCH_API const std::map<std::string, std::string>& GetBuildOptions();
} // namespace caffe2

namespace ep::model {

// Returns a build option of the opened LibTorch; empty if it does not report it. Does not call
// at::show_config(), which asks for CUDA's functions: LibTorch would remember that there are none.
inline std::string buildOption(const std::string& name)
{
    const auto& options = caffe2::GetBuildOptions();
    const auto found = options.find(name);
    return found == options.end() ? std::string() : found->second;
}

inline bool mpsAvailable()
{
#if EP_HAS_TORCH_MPS
    return torch::mps::is_available();
#else
    return false; // versions before 2.0 lack too many required operations
#endif
}

// Loads LibTorch's CUDA half, which the engine does not link so that it also runs without CUDA.
// Must be called before anything asks LibTorch about CUDA. Returns why it fails; empty if it is
// loaded, or if there is none.
inline std::string openCudaHalf()
{
    // Found in the engine's search path. Never closed: LibTorch keeps pointers into it.
    if (dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_GLOBAL) != nullptr)
        return {};
    const std::string failure = dlerror();
    return failure.starts_with("libtorch_cuda.so: cannot open") ? std::string() : failure;
}

inline bool cudaBuilt()
{
    return at::detail::getCUDAHooks().hasCUDART();
}

inline int cudaDeviceCount()
{
    return at::hasCUDA() ? static_cast<int>(at::detail::getCUDAHooks().getNumGPUs()) : 0;
}

// softmax(q k^T / sqrt(dim) + mask) v in one call, with q, k and v [batch, heads, .., dim];
// available since 2.0.
#if TORCH_VERSION_MAJOR >= 2
inline constexpr bool kHasFusedAttention = true;
inline at::Tensor fusedAttention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                                 const at::Tensor& mask)
{
    return mask.defined() ? at::scaled_dot_product_attention(q, k, v, mask)
                          : at::scaled_dot_product_attention(q, k, v);
}
#else
inline constexpr bool kHasFusedAttention = false;
inline at::Tensor fusedAttention(const at::Tensor&, const at::Tensor&, const at::Tensor&,
                                 const at::Tensor&)
{
    return {};
}
#endif

// On Apple's GPUs, LibTorch 2.8 to 2.10 computes fused attention wrongly for at most eight query
// rows and heads of 64, 96 or 128 values: pytorch #163597, #169222 and #174861, fixed in 2.11.
constexpr bool fusedAttentionFailsOnMps(int major, int minor)
{
    return major == 2 && minor >= 8 && minor < 11;
}
inline bool canFuseAttention(at::Device device)
{
    return kHasFusedAttention
        && !(device.is_mps() && fusedAttentionFailsOnMps(TORCH_VERSION_MAJOR, TORCH_VERSION_MINOR));
}

// cuDNN, which LibTorch prefers on recent GPUs, prepares its attention anew for each number of
// keys, and a decoder has one key more with every token: 3 ms instead of 30 µs per layer (H100,
// LibTorch 2.11). Chooses other implementations for the whole process.
inline void avoidCudnnAttention()
{
    const auto avoid = [](auto& context) {
        if constexpr (requires { context.setSDPUseCuDNN(false); }) // since 2.3
            context.setSDPUseCuDNN(false);
    };
    avoid(at::globalContext());
}

// Waits until the device has done all work given to it.
inline void synchronizeDevice(at::Device device)
{
#if EP_HAS_TORCH_MPS
    if (device.is_mps())
        torch::mps::synchronize();
#endif
    if (device.is_cuda())
        at::detail::getCUDAHooks().deviceSynchronize(device.index());
}

// The LibTorch that this process opened may differ from the one that the engine was compiled with,
// since a package manager can replace it under a finished build.

// Version of the opened LibTorch, such as "2.13.0". Falls back to the version of the headers if the
// library does not report its own.
const std::string& torchVersion();

// How the version is shown: "2.13.1 (the engine was built with 2.13.0)", or only the version.
std::string shownTorchVersion(std::string_view built, std::string_view opened);

// Why an engine built with one version must not run with another; empty if it may. Only the patch
// level may differ, because LibTorch's C++ interface changes with every minor version.
Message torchMismatch(std::string_view built, std::string_view opened);

} // namespace ep::model
