// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ops.h"
#include "thread_pool.h"

#include <memory>
#include <vector>

namespace ep::model {

// Decoder operations on the processor: f32 activations, weights as they are stored. Few rows go
// through kernels of our own on a pool of our own, each row exactly as if it were alone; many rows
// through the matrix product of the BLAS behind LibTorch.
class CpuOps final : public Ops {
public:
    explicit CpuOps(std::shared_ptr<ThreadPool> pool);

    void embed(const Weight& table, std::span<const TokenId> ids, Matrix& out) override;
    void scale(Matrix& x, float factor) override;
    void angles(const Rope& rope, std::span<const RotaryRows> rows, RotaryAngles& out) override;
    void linear(const Matrix& x, const Linear& layer, Matrix& out) override;
    void norm(const Matrix& x, const Norm& norm, Matrix& out) override;
    void normHeads(Matrix& x, const Norm& norm, std::int64_t heads) override;
    void add(Matrix& x, const Matrix& y) override;
    void activate(Activation kind, const Matrix& x, const Matrix* multiplier, Matrix& out) override;
    void softCap(Matrix& x, float cap) override;
    void store(const Matrix& keys, const Matrix& values, const AttentionShape& shape,
               std::span<const SequenceRows> sequences, int layer) override;
    void attention(Matrix& queries, const AttentionShape& shape, const RotaryAngles& angles,
                   std::span<const SequenceRows> sequences, int layer, Matrix& out) override;
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
    std::int64_t count(const Matrix& x) const override { return x.rows * x.columns; }
    double negativeFraction(const Matrix& x) override;
    at::TensorOptions cacheOptions() const override { return at::TensorOptions(at::kFloat); }
    std::string attentionImplementation() const override;

private:
    void weigh(const float* keys, const float* query, const AttentionShape& shape,
               std::int64_t count, float* weights) const;
    void multiplyFewRows(const Matrix& x, const Linear& layer, Matrix& out);
    void multiplyRows(const Matrix& x, const Linear& layer, Matrix& out);
    template <typename Job>
    void forEachRow(std::int64_t rows, std::int64_t columns, Job&& job);

    std::shared_ptr<ThreadPool> m_pool;
    const Kernels& m_kernels;
    // Where the positions of a row's sequence lie.
    struct RowPlace {
        float* keys = nullptr;
        float* values = nullptr;
        std::int64_t head_stride = 0;
        std::int64_t position = 0; // of the row
    };

    std::vector<RowPlace> m_places; // of the rows of the layer being attended
    Matrix m_tile; // a piece of a narrow weight, widened for the matrix product
};

} // namespace ep::model
