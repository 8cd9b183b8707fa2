// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kernel_choice.h"
#include "known_stats.h"
#include "ops.h"
#include "rounded_rows.h"
#include "thread_pool.h"

#include <memory>
#include <vector>

namespace ep::model {

// Decoder operations on the processor: f32 activations, weights in their stored type, on our own
// thread pool. The matmul kernels are chosen (kernel_choice.h): one row of activations passes over
// the weights in one of several shapes, many rows are packed into panels; for both, the BLAS
// behind LibTorch may be chosen instead.
class CpuOps final : public Ops {
public:
    explicit CpuOps(std::shared_ptr<ThreadPool> pool, KernelChoice choice = {});

    void computeRows(RowsLike like) override { m_like = like; }
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
    std::int64_t count(const Matrix& x) const override { return x.rows * x.columns; }
    double negativeFraction(const Matrix& x) override;
    void expectStats(std::optional<float> threshold) override;
    at::TensorOptions cacheOptions() const override { return at::TensorOptions(at::kFloat); }
    std::string attentionImplementation(bool decomposed) const override;

private:
    void prepare(Matrix& out, std::int64_t rows, std::int64_t columns);
    void askForStats(const Matrix& x) const;
    ValueSums sumsOf(const Matrix& x, float threshold);
    void softmax(const AttentionShape& shape, std::int64_t head, std::int64_t count,
                 float* scores) const;
    void multiplyRow(const Matrix& x, const Linear& layer, RowShape shape, Matrix& out);
    void multiplyRowsApart(const Matrix& x, const Linear& layer, Matrix& out);
    bool areMany(const Matrix& x) const;
    void dequantizeCache(const AttentionShape& shape, const SequenceRows& rows, int layer);
    void keepInBlocks(const AttentionShape& shape, const SequenceRows& rows, int layer);
    void multiplyFewRows(const Matrix& x, const Linear& layer, Matrix& out);
    void multiplyBlocks(const Matrix& x, const Linear& layer, Matrix& out);
    void multiplyPanels(const Matrix& x, const Linear& layer, Matrix& out);
    void multiplyRowByBlas(const Matrix& x, const Linear& layer, Matrix& out);
    void multiplyRowsByBlas(const Matrix& x, const Linear& layer, Matrix& out);
    void multiply(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& output);
    template <typename Job>
    void divide(std::int64_t outputs, Job&& job);
    template <typename Job>
    void forEachRow(std::int64_t rows, std::int64_t columns, Job&& job);

    std::shared_ptr<ThreadPool> m_pool;
    KernelChoice m_choice;
    RowsLike m_like = RowsLike::Usual;
    bool m_dividesMatmuls; // among the threads of the pool
    const Kernels& m_kernels;
    // Location of the positions of a row's sequence.
    struct RowPlace {
        float* keys = nullptr;
        float* values = nullptr;
        std::int64_t capacity = 0; // capacity of the cache, in positions
        std::int64_t position = 0; // position of the row
        bool last = false; // last row of its sequence
        // In decomposed attention: positions of the row's sequence in the block.
        std::int64_t base = 0;
        std::int64_t width = 0;

        // The first keys and values that the row sees, for one head of the queries.
        const float* keysOf(const AttentionShape& shape, std::int64_t head) const;
        const float* valuesOf(const AttentionShape& shape, std::int64_t head) const;
        std::int64_t begin(const AttentionShape& shape) const; // first position visible to the row
        std::int64_t end() const { return position + 1; } // causal: up to its own position
    };

    // Returns the maximum length of the sequences after the step.
    std::int64_t placeRows(std::span<const SequenceRows> sequences, int layer);
    template <typename Job>
    void forEachHead(const AttentionShape& shape, const ScoreBlock& block, Job&& job);

    // Adjacent rows of one sequence.
    struct RowBlock {
        std::int64_t first = 0;
        std::int64_t count = 1;
    };
    void attendRow(const Matrix& queries, const AttentionShape& shape, std::int64_t head,
                   std::int64_t row, Matrix& out) const;
    void attendRows(const Matrix& queries, const AttentionShape& shape, std::int64_t head,
                    const RowBlock& block, Matrix& out) const;

    std::vector<RowBlock> m_blocks; // blocks of the current layer
    std::vector<RowPlace> m_places; // places of the rows in the current layer
    KnownStats m_known;
    std::optional<float> m_threshold; // threshold of the statistics of this step
    struct HeadWeights {
        WeightFigures figures;
        float sum = 1.0F; // sum of the weights, less than 1 with a sink
    };
    std::vector<HeadWeights> m_headFigures; // per row and head of the block, if requested
    HeadWeights softmaxWithSink(float sink, std::int64_t count, float* scores,
                                std::optional<float> threshold) const;
    std::vector<ValueSums> m_partSums; // over columns of a matrix
    Matrix m_panels; // activations, packed
    RoundedRows m_rounded; // activations in 16 bits, for block-quantized weights
    Matrix m_tile; // a piece of a narrow weight, dequantized for the BLAS
};

} // namespace ep::model
