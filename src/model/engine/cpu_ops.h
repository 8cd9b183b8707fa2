// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kernel_choice.h"
#include "kernels.h"
#include "matrix.h"
#include "ops.h"
#include "thread_pool.h"

#include "ep/core/activation_stats.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ep::model {

// Keeps statistics of matrices on the processor as long as these are not modified, because the
// output of a component is that of its last operation, and the output of a layer that of its last
// component.
class KnownStats {
public:
    const ActivationStats* find(const Matrix& x, float threshold) const // null: unknown
    {
        for (const Entry& entry : m_entries) {
            if (entry.begin == x.data && entry.end == endOf(x) && entry.rows == x.rows
                && entry.columns == x.columns && entry.threshold == threshold)
                return &entry.stats;
        }
        return nullptr;
    }
    void keep(const Matrix& x, float threshold, const ActivationStats& stats)
    {
        m_entries[m_next] = {.begin = x.data,
                             .end = endOf(x),
                             .rows = x.rows,
                             .columns = x.columns,
                             .threshold = threshold,
                             .stats = stats};
        m_next = (m_next + 1) % m_entries.size();
    }
    // Forgets everything that shares memory with x, which will be written.
    void forget(const Matrix& x)
    {
        const float* const end = endOf(x);
        for (Entry& entry : m_entries) {
            if (entry.begin < end && x.data < entry.end)
                entry = {};
        }
    }
    void clear() { m_entries = {}; }

private:
    struct Entry {
        const float* begin = nullptr; // null: none
        const float* end = nullptr;
        std::int64_t rows = 0;
        std::int64_t columns = 0;
        float threshold = 0.0F;
        ActivationStats stats{};
    };

    static const float* endOf(const Matrix& x) { return x.data + x.rows * x.stride; }

    std::array<Entry, 4> m_entries = {}; // enough until the next reader of a matrix
    std::size_t m_next = 0;
};

// Rows of activations in 16 bits, as the kernels for block-quantized weights expect them. The
// memory is reused from matmul to matmul.
class RoundedRows {
public:
    void resize(std::int64_t rows, std::int64_t columns)
    {
        m_groups = (columns + kSpan - 1) / kSpan * (kSpan / kGroup);
        const auto groups = static_cast<std::size_t>(rows * m_groups);
        if (m_scales.size() >= groups)
            return;
        m_values.resize(groups * kGroup);
        m_bytes.resize(2 * groups * kGroup);
        m_scales.resize(groups);
        m_sums.resize(groups);
        m_halfSums.resize(2 * groups);
    }

    // Converts row `index` from x; columns as in resize(), a multiple of 32.
    void round(const Kernels& kernels, std::int64_t index, const float* x, std::int64_t columns)
    {
        const std::int64_t first = index * m_groups;
        kernels.quantizeRow(x, columns, m_values.data() + first * kGroup, m_scales.data() + first,
                            m_sums.data() + first, m_halfSums.data() + 2 * first,
                            m_bytes.data() + 2 * first * kGroup);
    }

    BlockedRow row(std::int64_t index) const
    {
        const std::int64_t first = index * m_groups;
        return {.values = m_values.data() + first * kGroup,
                .scales = m_scales.data() + first,
                .sums = m_sums.data() + first,
                .half_sums = m_halfSums.data() + 2 * first,
                .bytes = m_bytes.data() + 2 * first * kGroup};
    }

private:
    static constexpr std::int64_t kGroup = 32;
    static constexpr std::int64_t kSpan = 256;

    std::int64_t m_groups = 0; // groups per row
    std::vector<std::int16_t> m_values;
    std::vector<std::int8_t> m_bytes;
    std::vector<float> m_scales;
    std::vector<float> m_sums;
    std::vector<float> m_halfSums;
};

// Decoder operations on the processor: f32 activations, weights in their stored type, on our own
// thread pool. The matmul kernels are chosen (kernel_choice.h): one row of activations passes over
// the weights in one of several shapes, many rows are packed into panels; for both, the BLAS
// behind LibTorch may be chosen instead.
class CpuOps final : public Ops {
public:
    explicit CpuOps(std::shared_ptr<ThreadPool> pool, KernelChoice choice = {});

#define EP_OP(result, name, parameters) result name parameters override;
#include "ops.def"

    void computeRows(RowsLike like) override
    {
        m_like = like;
    }
    void expectStats(std::optional<float> threshold) override;

private:
    void prepare(Matrix& out, std::int64_t rows, std::int64_t columns);
    void askForStats(const Matrix& x) const;
    ValueSums sumsOf(const Matrix& x, float threshold);
    void softmax(const AttentionShape& shape, std::int64_t head, std::int64_t count,
                 float* scores) const;
    template <typename Multiply>
    void runRows(const Weight& w, std::int64_t count, Multiply&& multiply);
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
