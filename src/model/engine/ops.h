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
    bool own_keys = true; // false: keys and values come from an earlier layer
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

// The operations of a decoder (ops.def). One implementation computes on the processor with our own
// kernels, the other passes tensors to LibTorch.
class Ops {
public:
    virtual ~Ops() = default;

#define EP_OP(result, name, parameters) virtual result name parameters = 0;
#include "ops.def"

    // Applies to all following operations. On an accelerator, LibTorch decides.
    virtual void computeRows(RowsLike /*like*/) { }
    // The threshold of the statistics that will be requested in the step that begins, if any.
    virtual void expectStats(std::optional<float> /*threshold*/) { }
    // On an accelerator: computes the statistics there, for takeDeferred(). If it returns false,
    // call stats().
    virtual bool deferStats(const Matrix& /*x*/, float /*threshold*/)
    {
        return false;
    }
    // Fetches all statistics deferred since the last call, in order.
    virtual void takeDeferred(std::vector<ActivationStats>& out)
    {
        out.clear();
    }
};

inline constexpr std::int64_t kSampledRows = 32;
// A prompt's attention is computed for this many rows at a time, by one matmul.
inline constexpr std::int64_t kAttendedRows = 32;

} // namespace ep::model
