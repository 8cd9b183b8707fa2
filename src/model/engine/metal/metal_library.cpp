// SPDX-License-Identifier: GPL-3.0-or-later
#include "metal/metal_library.h"

#if defined(__APPLE__) && __has_include(<ATen/native/mps/MetalShaderLibrary.h>)
#define EP_HAS_METAL_LIBRARY 1
#include <ATen/native/mps/MetalShaderLibrary.h>

#include <map>
#else
#define EP_HAS_METAL_LIBRARY 0
#endif

namespace ep::model {

#if EP_HAS_METAL_LIBRARY
namespace {

class TorchMetalLibrary final : public MetalLibrary {
public:
    explicit TorchMetalLibrary(const std::string& source)
        : m_library(source)
    {
    }

    void run(const MetalLaunch& launch) override
    {
        auto& kernel = m_kernels[launch.kernel];
        if (!kernel)
            kernel = m_library.getKernelFunction(launch.kernel);
        kernel->runCommandBlock([&] { // runs on the queue of LibTorch's stream
            kernel->startEncoding();
            unsigned index = 0;
            for (const at::Tensor& tensor : launch.tensors)
                kernel->setArg(index++, tensor); // includes its offset
            kernel->setArg(index, launch.constants, launch.constant_bytes);
            kernel->dispatch(c10::ArrayRef<std::uint64_t>(launch.threads),
                             c10::ArrayRef<std::uint64_t>(launch.group));
        });
    }

private:
    at::native::mps::DynamicMetalShaderLibrary m_library;
    std::map<std::string, std::shared_ptr<at::native::mps::MetalKernelFunction>> m_kernels;
};

} // namespace

std::unique_ptr<MetalLibrary> compileMetal(const std::string& source)
{
    return std::make_unique<TorchMetalLibrary>(source);
}
#else
std::unique_ptr<MetalLibrary> compileMetal(const std::string& /*source*/)
{
    return nullptr;
}
#endif

} // namespace ep::model
