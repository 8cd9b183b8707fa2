// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kernels.h"
#include "kv_cache.h"
#include "matrix.h"
#include "weights.h"

#include "ep/core/activation_stats.h"
#include "ep/model/tokenizer.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace ep::model {

// Cosines and sines of the positions of one step, [rows, rotary_dim / 2].
struct RotaryAngles {
    Matrix cosines;
    Matrix sines;
};

// The shape of one layer's attention.
struct AttentionShape {
    int heads = 0;
    int kv_heads = 0;
    int head_dim = 0;
    int rotary_dim = 0;
    float scale = 1.0F; // of the scores
    std::optional<int> window; // keys that a position sees, itself included
};

// What a decoder is made of. One implementation computes on the processor with kernels of our own,
// the other one hands tensors to LibTorch. Output matrices are resized by the operation.
class Ops {
public:
    virtual ~Ops() = default;

    virtual void embed(const Weight& table, std::span<const TokenId> ids, Matrix& out) = 0;
    virtual void angles(std::span<const float> inverseFrequencies, std::int64_t first,
                        std::int64_t rows, RotaryAngles& out) = 0;
    virtual void linear(const Matrix& x, const Linear& layer, Matrix& out) = 0;
    virtual void norm(const Matrix& x, const Norm& norm, Matrix& out) = 0;
    virtual void add(Matrix& x, const Matrix& y) = 0; // x += y
    // out = f(x), or f(x) * multiplier; out may be x or multiplier itself
    virtual void activate(Activation kind, const Matrix& x, const Matrix* multiplier,
                          Matrix& out) = 0;

    // Copies the keys and values of the step's rows behind what the cache holds; its length stays.
    virtual void store(const Matrix& keys, const Matrix& values, const AttentionShape& shape,
                       KvCache& cache, int layer) = 0;
    // Turns queries and the keys just stored by their positions, in place, and attends causally
    // over all stored positions. out is [rows, heads * head_dim].
    virtual void attention(Matrix& queries, const AttentionShape& shape, const RotaryAngles& angles,
                           KvCache& cache, int layer, Matrix& out) = 0;

    virtual Matrix lastRow(const Matrix& x) = 0; // in the same memory
    // A row as f32 on the processor, valid until the next call.
    virtual std::span<const float> host(const Matrix& x, std::int64_t row) = 0;

    // Of at most kSampledRows rows, evenly spaced with the last one among them.
    virtual ActivationStats stats(const Matrix& x, float threshold) = 0;
    virtual std::int64_t count(const Matrix& x) const = 0;
    virtual double negativeFraction(const Matrix& x) = 0; // of all rows

    virtual at::TensorOptions cacheOptions() const = 0; // device and type of the KV cache
    virtual std::string attentionImplementation() const = 0; // in words
};

inline constexpr std::int64_t kSampledRows = 32;

} // namespace ep::model
