// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ops.h"

#include <memory>
#include <utility>
#include <vector>

namespace ep::model {

class GpuFused;
class GpuMatmul;

// Decoder operations as plain LibTorch calls on any device, with activations in the type of the
// weights. Used on accelerators, and as the reference for the kernels of CpuOps.
class AtenOps final : public Ops {
public:
    // defer: fetch statistics once per step, as on accelerators.
    AtenOps(at::Device device, at::ScalarType type, bool defer);
    AtenOps(at::Device device, at::ScalarType type)
        : AtenOps(device, type, !device.is_cpu())
    {
    }

    // Multiplies block-quantized weights with these kernels where possible, and dequantizes them
    // otherwise.
    void useMatmul(std::shared_ptr<GpuMatmul> matmul) { m_matmul = std::move(matmul); }
    // Uses these kernels for norms, rotations and gates, unless they are decomposed.
    void useFused(std::shared_ptr<GpuFused> fused) { m_fused = std::move(fused); }

#define EP_OP(result, name, parameters) result name parameters override;
#include "ops.def"

    void expectStats(std::optional<float> threshold) override
    {
        m_threshold = threshold;
    }
    bool deferStats(const Matrix& x, float threshold) override;
    void takeDeferred(std::vector<ActivationStats>& out) override;

private:
    // x [rows, heads x dim], cosines and sines [rows, pairs]
    at::Tensor rotatedRows(const at::Tensor& x, std::int64_t heads, const at::Tensor& cosines,
                           const at::Tensor& sines, bool interleaved) const;
    at::Tensor sampled(const Matrix& x) const; // the rows used for statistics
    at::Tensor weights(const at::Tensor& queries, const AttentionShape& shape, const KvCache& cache,
                       int layer) const;
    at::Tensor fused(const at::Tensor& queries, const AttentionShape& shape, const KvCache& cache,
                     int layer) const;
    at::Tensor attend(const at::Tensor& queries, const AttentionShape& shape, const KvCache& cache,
                      int layer) const;

    at::TensorOptions m_options; // of the activations
    at::ScalarType m_type; // type of the activations
    at::Tensor m_hostRow; // last result of host()
    std::shared_ptr<GpuMatmul> m_matmul; // may be null
    std::shared_ptr<GpuFused> m_fused; // may be null
    bool m_defer;
    std::optional<float> m_threshold; // threshold of the statistics of this step
    std::vector<at::Tensor> m_deferred; // [4] each
};

} // namespace ep::model
