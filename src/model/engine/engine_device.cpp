// SPDX-License-Identifier: GPL-3.0-or-later
// How TorchEngine computes on an accelerator.
#include "aten_ops.h"
#include "dequantization.h"
#include "gpu/gpu_fused.h"
#include "gpu/gpu_library.h"
#include "gpu/gpu_matmul.h"
#include "number_format.h"
#include "torch_engine.h"
#include "weight_loader.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace ep::model {
namespace {

at::ScalarType activationType(DType dtype)
{
    return dtype == DType::F16 ? at::kHalf : dtype == DType::BF16 ? at::kBFloat16 : at::kFloat;
}

} // namespace

// Sets up the operations on an accelerator, and the text that says how a run multiplies
// block-quantized weights.
void TorchEngine::useDevice(const NumberFormat& format, const WeightLoader& weights)
{
    const at::ScalarType type = activationType(format.wide);
    if (m_device.is_cuda())
        avoidCudnnAttention();
    auto ops = std::make_unique<AtenOps>(m_device, type);
    bool asStored = false;
    m_computation = "LibTorch";
    if (const GpuLanguage* const language = gpuLanguageOf(m_device.type())) {
        auto matmul = std::make_shared<GpuMatmul>(*language, m_device, type);
        for (const WeightKind& kind : weights.kinds())
            matmul->prepare(kind.dtype);
        asStored = isPlain(m_dtype) ? matmul->dequantizedFirst().empty() : matmul->prepare(m_dtype);
        m_computation = matmul->computation();
        m_kernels = matmul->kernels();
        std::ranges::move(matmul->notes(), std::back_inserter(m_notes));
        ops->useMatmul(std::move(matmul));
        auto fused = std::make_shared<GpuFused>(*language, m_device, type);
        std::ranges::move(fused->notes(), std::back_inserter(m_notes));
        ops->useFused(std::move(fused));
    }
    if (!asStored && !format.note_if_dequantized.empty())
        m_notes.push_back(format.note_if_dequantized);
    if (inBlocks(m_dtype)) {
        m_multiplied = asStored ? "multiplied as stored, by kernels for "
                + std::string(gpuLanguageOf(m_device.type())->name)
                                : "dequantized on the device for each matmul";
    }
    m_ops = std::move(ops);
}

} // namespace ep::model
