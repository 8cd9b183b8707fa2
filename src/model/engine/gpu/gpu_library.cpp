// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/gpu_library.h"

#include "gpu/cuda_library.h"

#if defined(__APPLE__) && __has_include(<ATen/native/mps/MetalShaderLibrary.h>)
#define EP_HAS_METAL_LIBRARY 1
#include <ATen/native/mps/MetalShaderLibrary.h>

#include <map>
#else
#define EP_HAS_METAL_LIBRARY 0
#endif

namespace ep::model {
namespace {

std::unique_ptr<GpuLibrary> compileCuda(const GpuSource& source)
{
    const auto calls = findCudaCalls();
    return calls ? makeCudaLibrary(*calls, source) : nullptr;
}

} // namespace

const GpuLanguage* gpuLanguageOf(at::DeviceType type)
{
    static const GpuLanguage metal{"Metal", "Apple's GPUs", true, compileMetal};
    static const GpuLanguage cuda{"CUDA", "NVIDIA's GPUs", false, compileCuda};
    return type == at::kMPS ? &metal : type == at::kCUDA ? &cuda : nullptr;
}

std::string metalText(const GpuSource& source)
{
    std::string text = source.text;
    for (const GpuKernel& kernel : source.kernels) {
        text += "template [[host_name(\"" + kernel.name + "\")]] [[kernel]] decltype("
            + kernel.function + ") " + kernel.function + ";\n";
    }
    return text;
}

#if EP_HAS_METAL_LIBRARY
namespace {

class TorchMetalLibrary final : public GpuLibrary {
public:
    explicit TorchMetalLibrary(const std::string& source)
        : m_library(source)
    {
    }

    void run(const GpuLaunch& launch) override
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

std::unique_ptr<GpuLibrary> compileMetal(const GpuSource& source)
{
    return std::make_unique<TorchMetalLibrary>(metalText(source));
}
#else
std::unique_ptr<GpuLibrary> compileMetal(const GpuSource& /*source*/)
{
    return nullptr;
}
#endif

} // namespace ep::model
