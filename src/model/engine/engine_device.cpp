// SPDX-License-Identifier: GPL-3.0-or-later
// How TorchEngine computes on an accelerator.
#include "aten_ops.h"
#include "dequantization.h"
#include "metal/metal_fused.h"
#include "metal/metal_library.h"
#include "metal/metal_products.h"
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

// Operations on an accelerator, and what a run says of its products with weights in blocks.
void TorchEngine::useDevice(const NumberFormat& format, const WeightLoader& weights)
{
    const at::ScalarType type = activationType(format.wide);
    auto ops = std::make_unique<AtenOps>(m_device, type);
    bool asStored = false;
    m_computation = "LibTorch";
    if (m_device.is_mps()) {
        auto products = std::make_shared<MetalProducts>(compileMetal, m_device, type);
        for (const WeightKind& kind : weights.kinds())
            products->prepare(kind.dtype);
        asStored = isPlain(m_dtype) ? products->dequantized().empty() : products->prepare(m_dtype);
        m_computation = products->computation();
        m_kernels = products->kernels();
        std::ranges::move(products->notes(), std::back_inserter(m_notes));
        ops->useProducts(std::move(products));
        auto fused = std::make_shared<MetalFused>(compileMetal, m_device, type);
        std::ranges::move(fused->notes(), std::back_inserter(m_notes));
        ops->useFused(std::move(fused));
    }
    if (!asStored && !format.note_if_dequantized.empty())
        m_notes.push_back(format.note_if_dequantized);
    if (inBlocks(m_dtype)) {
        m_multiplied = asStored ? "multiplied as stored, by kernels for Metal"
                                : "dequantized on the device for each product";
    }
    m_ops = std::move(ops);
}

} // namespace ep::model
