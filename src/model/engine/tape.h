// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ops.h"

#include "ep/model/observer.h"
#include "ep/model/replay.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ep::model {

// An operation that can be repeated, with copies of its inputs.
struct TapedCall {
    std::size_t part = 0; // index of its kind
    int layer = -1; // layer of the operation; -1 for sections outside of layers
    std::function<void(Ops&)> run;
};

// The operations of one token, in order.
struct TapedToken {
    std::vector<TapedCall> calls;
};

// Passes operations on and records each in the part that is open; the tape is told about parts as
// an observer of the same generation. Outputs of repeated operations are in one shared scratch
// matrix, inputs in separate copies. Decomposed operations are only passed on.
class Tape final : public Ops, public Observer {
public:
    explicit Tape(Ops& ops);

    // All operations from now on belong to a new token.
    void beginToken();
    const std::vector<ReplayPart>& parts() const { return m_parts; } // parts of one token
    bool isPart(const Tap& tap, std::size_t part) const; // whether a tap announces that part
    const std::vector<TapedToken>& tokens() const { return m_tokens; }

    // Records work that belongs to no operation, in the currently open part.
    void record(std::int64_t bytes, std::function<void(Ops&)> run);

    bool wants(const Tap& tap) override;
    void began(const Tap& tap) override;
    void ended(const Tap& tap, const TensorProbe* output) override;
    std::optional<float> statisticsThreshold() override { return std::nullopt; }

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
    std::int64_t count(const Matrix& x) const override { return m_ops.count(x); }
    double negativeFraction(const Matrix& x) override { return m_ops.negativeFraction(x); }
    at::TensorOptions cacheOptions() const override { return m_ops.cacheOptions(); }
    std::string attentionImplementation(bool decomposed) const override
    {
        return m_ops.attentionImplementation(decomposed);
    }

private:
    Ops& m_ops;
    std::vector<Tap> m_open; // components and sections, innermost last
    std::vector<ReplayPart> m_parts;
    std::vector<Tap> m_taps; // tap of each part, from any layer
    std::vector<TapedToken> m_tokens;
    Matrix m_scratch; // outputs of repeated operations
    RotaryAngles m_scratchAngles;
    Matrix m_scratchDecays;
};

} // namespace ep::model
