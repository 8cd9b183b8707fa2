// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/gpu_library.h"

#include "gpu/cuda_library.h"

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

} // namespace ep::model
