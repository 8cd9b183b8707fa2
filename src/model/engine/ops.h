// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kernels.h"
#include "kv_cache.h"
#include "matrix.h"
#include "rope.h"
#include "weights.h"

#include "ep/core/activation_stats.h"
#include "ep/text/tokenizer.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ep::model {

// Cosines and sines of the positions of one step, [rows, rotary_dim / 2].
struct RotaryAngles {
    Matrix cosines;
    Matrix sines;
};

// Rows [first, first + count) of a step's matrices: new positions of one sequence, which follow
// those in its cache.
struct SequenceRows {
    KvCache* cache = nullptr;
    std::int64_t first = 0;
    std::int64_t count = 0;
};

// Columns [begin, begin + count) of a matrix.
struct ColumnRun {
    std::int64_t begin = 0;
    std::int64_t count = 0;
};

// A causal convolution over positions, separately for each channel.
struct Convolution {
    WeightVector weights{}; // [taps, channels], the oldest position first
    WeightVector bias{}; // [channels], may be absent
    std::int64_t taps = 0;
};

// How fast a state decays: at each position it is multiplied by exp(dt rate),
// where dt = softplus(a + bias), within limits.
struct StateDecay {
    WeightVector rate{}; // f32 [heads], negative
    WeightVector bias{}; // f32 [heads]
    float least = 0.0F; // limits of dt
    float most = std::numeric_limits<float>::infinity();
};

// The recurrence of one layer's states; see RecurrentRows.
struct StateShape {
    std::int64_t key_heads = 0;
    std::int64_t value_heads = 0;
    std::int64_t key_dim = 0;
    std::int64_t value_dim = 0;
    bool tiled = false; // value head i reads key head i mod key_heads; else adjacent ones share one
    bool delta = false; // uses the delta rule
    WeightVector skip{}; // f32 [value_heads], may be absent

    std::int64_t keyHeadOf(std::int64_t head) const
    {
        return tiled ? head % key_heads : head * key_heads / value_heads;
    }
};

// Inputs of the recurrence: [rows, heads x dim], and one number for each row and value head.
struct StateInputs {
    const Matrix& queries;
    const Matrix& keys;
    const Matrix& values;
    const Matrix& factors;
    const Matrix& decays;
};

// Consecutive rows at adjacent positions, at the end of their sequence.
struct RotaryRows {
    std::int64_t position = 0; // position of the first row
    std::int64_t count = 0;
};

// The shape of one layer's attention.
struct AttentionShape {
    int heads = 0;
    int kv_heads = 0;
    int head_dim = 0;
    int rotary_dim = 0; // 0: no rotation
    float scale = 1.0F; // factor of the scores
    float soft_cap = 0.0F; // scores x become cap * tanh(x / cap); 0: off
    std::optional<int> window; // visible keys, including the position itself
    int value_dim = 0; // dimensions of the values; 0: the same as the keys
    bool interleaved = false; // pairs (2i, 2i + 1) are rotated, instead of (i, i + half)
    bool own_keys = true; // false: keys and values are those of an earlier layer
    // Queries at position p are multiplied by 1 + growth x ln(1 + floor(p / period)); 0: off.
    float query_growth = 0.0F;
    int query_period = 1;
    WeightVector sinks{}; // [heads] or absent: per head one extra score

    std::int64_t values() const { return value_dim == 0 ? head_dim : value_dim; }
    bool hasSinks() const { return sinks.tensor.defined(); }
    // The factor of the queries at a position.
    float queryFactor(std::int64_t position) const
    {
        const auto periods = static_cast<float>(position / query_period);
        return 1.0F + query_growth * std::log(1.0F + periods);
    }
};

// Scores, later weights, of some rows of a step in decomposed attention.
struct ScoreBlock {
    std::int64_t first = 0; // first row
    std::int64_t count = 0;
    bool hidden = false; // some positions are masked for some rows
    Matrix scores; // [count * heads, positions]; accelerator: of the first sequence
    std::vector<at::Tensor> parts; // accelerator: [kv_heads, group, rows, positions] by sequence
};

// Figures by head about the attention weights of the last rows, averaged over the sequences, and
// the statistics of all these weights.
struct HeadFigures {
    std::vector<float> entropy; // in nats
    std::vector<float> largest;
    std::vector<float> sparsity; // share below the threshold
    std::optional<ActivationStats> stats;
};

// How a step's rows are computed, which determines how the sums of a matmul are rounded. Usual: as
// a step of this size. One: each row as if it were alone, so that proposed tokens get the logits
// that they would have had one by one. Many: as part of a longer prompt whose first positions are
// cached.
enum class RowsLike : std::uint8_t { Usual, One, Many };

// The operations of a decoder. One implementation computes on the processor with our own kernels,
// the other passes tensors to LibTorch. Operations resize their output matrices.
class Ops {
public:
    virtual ~Ops() = default;

    // Applies to all following operations. On an accelerator, LibTorch decides.
    virtual void computeRows(RowsLike /*like*/) { }
    virtual void embed(const Weight& table, std::span<const text::TokenId> ids, Matrix& out) = 0;
    virtual void scale(Matrix& x, float factor) = 0; // x *= factor
    virtual void angles(const Rope& rope, std::span<const RotaryRows> rows, RotaryAngles& out) = 0;
    virtual void linear(const Matrix& x, const Linear& layer, Matrix& out) = 0;
    virtual void norm(const Matrix& x, const Norm& norm, Matrix& out) = 0;
    // Normalises each head of x [rows, heads * head_dim] separately, in place.
    virtual void normHeads(Matrix& x, const Norm& norm, std::int64_t heads) = 0;
    virtual void add(Matrix& x, const Matrix& y) = 0; // x += y
    // out = f(x), or f(x) * multiplier; out may be x or multiplier itself
    virtual void activate(Activation kind, const Matrix& x, const Matrix* multiplier,
                          Matrix& out) = 0;

    virtual void softCap(Matrix& x, float cap) = 0; // x = cap * tanh(x / cap)
    // Columns 2i and 2i + 1 of x become columns i of even and odd.
    virtual void splitPairs(const Matrix& x, Matrix& even, Matrix& odd) = 0;
    virtual void clamp(Matrix& x, float limit) = 0; // x = clamp(x, -limit, limit)
    // gate = min(gate, limit), up = clamp(up, -limit, limit) + 1
    virtual void clampGates(Matrix& gate, Matrix& up, float limit) = 0;
    // Rotates each of the heads of x [rows, heads * head_dim] by the angles of its row, in place.
    virtual void rotateHeads(Matrix& x, int heads, const AttentionShape& shape,
                             const RotaryAngles& angles) = 0;
    // Columns [column, column + columns of x) of out become x; out gets x's number of rows.
    virtual void place(const Matrix& x, Matrix& out, std::int64_t column) = 0;
    // Allocates `columns` columns for as many rows as `like` has.
    virtual void room(const Matrix& like, std::int64_t columns, Matrix& out) = 0;

    // Copies runs of columns, one after the other; out is not x.
    virtual void pick(const Matrix& x, std::span<const ColumnRun> runs, Matrix& out) = 0;
    // Convolves each sequence, whose preceding positions are in its cache, which is updated. out
    // is not x.
    virtual void convolve(const Matrix& x, const Convolution& convolution,
                          std::span<const SequenceRows> sequences, int layer, Matrix& out) = 0;
    // steps = dt, decays = exp(dt rate), both [rows, heads].
    virtual void decay(const Matrix& x, const StateDecay& by, Matrix& steps, Matrix& decays) = 0;
    // Updates the states in the caches and reads them: out is [rows, value_heads * value_dim].
    virtual void recur(const StateInputs& inputs, const StateShape& shape,
                       std::span<const SequenceRows> sequences, int layer, Matrix& out) = 0;

    // Appends the keys and values of the step's rows to the caches without changing their lengths.
    virtual void store(const Matrix& keys, const Matrix& values, const AttentionShape& shape,
                       std::span<const SequenceRows> sequences, int layer) = 0;
    // Rotates queries and the keys just stored by their positions, in place, and attends causally
    // over all stored positions of the row's own sequence. out is [rows, heads * head_dim].
    virtual void attention(Matrix& queries, const AttentionShape& shape, const RotaryAngles& angles,
                           std::span<const SequenceRows> sequences, int layer, Matrix& out) = 0;

    // The same as single operations, as shown at profiling depth `deep`. A group of a norm is a
    // head, or the whole row.
    virtual void means(const Matrix& x, std::int64_t groups, Matrix& out) = 0; // [rows, groups]
    // Mean of (x - mean)^2, or of x^2 without means: [rows, groups]
    virtual void variances(const Matrix& x, const Matrix* means, std::int64_t groups,
                           Matrix& out) = 0;
    // out = (x - mean) / sqrt(variance + epsilon); out may be x
    virtual void normalize(const Matrix& x, const Matrix* means, const Matrix& variances,
                           float epsilon, Matrix& out) = 0;
    virtual void scaleShift(Matrix& x, const Norm& norm, std::int64_t groups) = 0;
    virtual void multiply(const Matrix& x, const Matrix& y, Matrix& out) = 0;

    virtual void rotate(Matrix& queries, const AttentionShape& shape, const RotaryAngles& angles,
                        std::span<const SequenceRows> sequences, int layer) = 0;
    // The maximum number of rows of this step in a block.
    virtual std::int64_t blockRows(const AttentionShape& shape,
                                   std::span<const SequenceRows> sequences) const = 0;
    virtual void scoreKeys(const Matrix& queries, const AttentionShape& shape,
                           std::span<const SequenceRows> sequences, int layer,
                           ScoreBlock& block) = 0;
    virtual void scaleScores(const AttentionShape& shape, ScoreBlock& block) = 0; // also caps them
    virtual void maskScores(const AttentionShape& shape, std::span<const SequenceRows> sequences,
                            ScoreBlock& block) = 0;
    virtual void softmaxScores(const AttentionShape& shape, ScoreBlock& block) = 0;
    // Sets the rows of the block in out [rows of the step, heads * head_dim].
    virtual void weighValues(const AttentionShape& shape, std::span<const SequenceRows> sequences,
                             int layer, const ScoreBlock& block, std::int64_t rows,
                             Matrix& out) = 0;
    // Computes the figures of sequences whose last row is in the block; call after softmaxScores().
    // Empty if no statistics are expected.
    virtual void headFigures(const AttentionShape& shape, std::span<const SequenceRows> sequences,
                             const ScoreBlock& block, HeadFigures& out) = 0;

    // Attention weights of one row after attention(), on the processor: [heads, keys it sees].
    virtual std::vector<float> attentionWeights(const Matrix& queries, const AttentionShape& shape,
                                                const SequenceRows& rows, std::int64_t row,
                                                int layer) = 0;

    virtual Matrix lastRow(const Matrix& x) = 0; // shares the memory of x
    virtual void gather(const Matrix& x, std::span<const std::int64_t> rows, Matrix& out) = 0;
    // Zeros with the shape of `like`.
    virtual void clear(const Matrix& like, Matrix& out) = 0;
    // out[rows[i]] += factors[i] * x[i]; no row may occur twice
    virtual void addRows(const Matrix& x, std::span<const std::int64_t> rows,
                         std::span<const float> factors, Matrix& out) = 0;
    // Returns a row as f32 on the processor, valid until the next call.
    virtual std::span<const float> host(const Matrix& x, std::int64_t row) = 0;

    // Computes statistics over at most kSampledRows evenly spaced rows, including the last one.
    virtual ActivationStats stats(const Matrix& x, float threshold) = 0;
    virtual std::int64_t count(const Matrix& x) const = 0;
    virtual double negativeFraction(const Matrix& x) = 0; // over all rows
    // The threshold of the statistics that will be requested in the step that begins, if any.
    virtual void expectStats(std::optional<float> /*threshold*/) { }
    // On an accelerator: computes the statistics there, for takeDeferred(). If it returns false,
    // call stats().
    virtual bool deferStats(const Matrix& /*x*/, float /*threshold*/) { return false; }
    // Fetches all statistics deferred since the last call, in order.
    virtual void takeDeferred(std::vector<ActivationStats>& out) { out.clear(); }

    virtual at::TensorOptions cacheOptions() const = 0; // device and type of the KV cache
    virtual std::string attentionImplementation(bool decomposed) const = 0; // description
};

inline constexpr std::int64_t kSampledRows = 32;
// A prompt's attention is computed for this many rows at a time, by one matmul.
inline constexpr std::int64_t kAttendedRows = 32;

} // namespace ep::model
