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

    void embed(const Weight& table, std::span<const text::TokenId> ids, Matrix& out) override;
    void scale(Matrix& x, float factor) override;
    void angles(const Rope& rope, std::span<const RotaryRows> rows, RotaryAngles& out) override;
    void linear(const Matrix& x, const Linear& layer, Matrix& out) override;
    void norm(const Matrix& x, const Norm& norm, Matrix& out) override;
    void normHeads(Matrix& x, const Norm& norm, std::int64_t heads) override;
    void add(Matrix& x, const Matrix& y) override;
    void activate(Activation kind, const Matrix& x, const Matrix* multiplier, Matrix& out) override;
    void softCap(Matrix& x, float cap) override;
    void pick(const Matrix& x, std::span<const ColumnRun> runs, Matrix& out) override;
    void convolve(const Matrix& x, const Convolution& convolution,
                  std::span<const SequenceRows> sequences, int layer, Matrix& out) override;
    void decay(const Matrix& x, const StateDecay& by, Matrix& steps, Matrix& decays) override;
    void recur(const StateInputs& inputs, const StateShape& shape,
               std::span<const SequenceRows> sequences, int layer, Matrix& out) override;
    void splitPairs(const Matrix& x, Matrix& even, Matrix& odd) override;
    void clamp(Matrix& x, float limit) override;
    void clampGates(Matrix& gate, Matrix& up, float limit) override;
    void rotateHeads(Matrix& x, int heads, const AttentionShape& shape,
                     const RotaryAngles& angles) override;
    void place(const Matrix& x, Matrix& out, std::int64_t column) override;
    void room(const Matrix& like, std::int64_t columns, Matrix& out) override;
    void store(const Matrix& keys, const Matrix& values, const AttentionShape& shape,
               std::span<const SequenceRows> sequences, int layer) override;
    void attention(Matrix& queries, const AttentionShape& shape, const RotaryAngles& angles,
                   std::span<const SequenceRows> sequences, int layer, Matrix& out) override;
    void means(const Matrix& x, std::int64_t groups, Matrix& out) override;
    void variances(const Matrix& x, const Matrix* means, std::int64_t groups, Matrix& out) override;
    void normalize(const Matrix& x, const Matrix* means, const Matrix& variances, float epsilon,
                   Matrix& out) override;
    void scaleShift(Matrix& x, const Norm& norm, std::int64_t groups) override;
    void multiply(const Matrix& x, const Matrix& y, Matrix& out) override;
    void rotate(Matrix& queries, const AttentionShape& shape, const RotaryAngles& angles,
                std::span<const SequenceRows> sequences, int layer) override;
    std::int64_t blockRows(const AttentionShape& shape,
                           std::span<const SequenceRows> sequences) const override;
    void scoreKeys(const Matrix& queries, const AttentionShape& shape,
                   std::span<const SequenceRows> sequences, int layer, ScoreBlock& block) override;
    void scaleScores(const AttentionShape& shape, ScoreBlock& block) override;
    void maskScores(const AttentionShape& shape, std::span<const SequenceRows> sequences,
                    ScoreBlock& block) override;
    void softmaxScores(const AttentionShape& shape, ScoreBlock& block) override;
    void weighValues(const AttentionShape& shape, std::span<const SequenceRows> sequences,
                     int layer, const ScoreBlock& block, std::int64_t rows, Matrix& out) override;
    void headFigures(const AttentionShape& shape, std::span<const SequenceRows> sequences,
                     const ScoreBlock& block, HeadFigures& out) override;
    std::vector<float> attentionWeights(const Matrix& queries, const AttentionShape& shape,
                                        const SequenceRows& rows, std::int64_t row,
                                        int layer) override;
    Matrix lastRow(const Matrix& x) override;
    void gather(const Matrix& x, std::span<const std::int64_t> rows, Matrix& out) override;
    void clear(const Matrix& like, Matrix& out) override;
    void addRows(const Matrix& x, std::span<const std::int64_t> rows,
                 std::span<const float> factors, Matrix& out) override;
    std::span<const float> host(const Matrix& x, std::int64_t row) override;
    ActivationStats stats(const Matrix& x, float threshold) override;
    std::int64_t count(const Matrix& x) const override { return x.tensor.numel(); }
    double negativeFraction(const Matrix& x) override;
    void expectStats(std::optional<float> threshold) override { m_threshold = threshold; }
    bool deferStats(const Matrix& x, float threshold) override;
    void takeDeferred(std::vector<ActivationStats>& out) override;
    at::TensorOptions cacheOptions() const override { return m_options; }
    std::string attentionImplementation(bool decomposed) const override;

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
