// SPDX-License-Identifier: GPL-3.0-or-later
// Matmuls of one or a few rows of activations with the rows of a weight, and dequantization.
#pragma once

#include "kernels.h"
#include "simd.h"

namespace ep::model {
namespace {

// Prefetches the cache lines of two vectors; for some types these fill half a line, which starts
// at even positions.
template <typename Type>
EP_INLINE void ask(const typename Type::Stored* place, Index lanesBefore)
{
    constexpr Index kCacheLine = 64;
    constexpr Index kBytes = sizeof(typename Type::Stored);
    if (lanesBefore * kBytes % kCacheLine != 0)
        return;
    for (Index byte = 0; byte < 2 * kLanes * kBytes; byte += kCacheLine)
        __builtin_prefetch(place + byte / kBytes);
}

// Sums of a row, four rows at a time: the more sums, the smaller the rounding error.
constexpr int kSpreadRows = 4;
constexpr int kSpreadVectors = EP_REGISTERS == 32 ? 4 : 2;

// out[row + r * apart] for 0 <= r < Rows.
template <typename Type, int Rows, bool kAhead>
EP_INLINE void dotBlock(const WeightRows& w, Index row, Index apart, const float* x, float* out)
{
    const Index columns = w.columns;
    const Index stride = apart * columns;
    const auto* const weights = static_cast<const typename Type::Stored*>(w.values) + row * columns;
    // How far ahead weights are prefetched, across the ends of rows. Where the hardware's
    // prefetcher finds the streams by itself, prefetching only costs time.
    constexpr Index kDistance = 1024 / sizeof(typename Type::Stored);
    Vec sums[Rows][kSpreadVectors];
    for (int r = 0; r < Rows; ++r) {
        for (int u = 0; u < kSpreadVectors; ++u)
            sums[r][u] = Vec{};
    }
    Index c = 0;
    for (; c + kSpreadVectors * kLanes <= columns; c += kSpreadVectors * kLanes) {
        for (int u = 0; u < kSpreadVectors; u += 2) {
            const VecPair factors = Type::arrange(x + c + u * kLanes);
            for (int r = 0; r < Rows; ++r) {
                const Index place = r * stride + c + u * kLanes;
                if constexpr (kAhead)
                    ask<Type>(weights + place + kDistance, u * kLanes);
                const VecPair wide = Type::loadPair(weights + place);
                sums[r][u] += wide.first * factors.first;
                sums[r][u + 1] += wide.second * factors.second;
            }
        }
    }
    for (; c + kLanes <= columns; c += kLanes) {
        const Vec factor = load(x + c);
        for (int r = 0; r < Rows; ++r)
            sums[r][0] += Type::load(weights + r * stride + c) * factor;
    }
    for (int r = 0; r < Rows; ++r) {
        Vec total = sums[r][0];
        for (int u = 1; u < kSpreadVectors; ++u)
            total += sums[r][u];
        float value = sum(total);
        for (Index rest = c; rest < columns; ++rest)
            value += Type::one(weights[r * stride + rest]) * x[rest];
        const Index at = row + r * apart;
        out[at] = (w.scales ? w.scales[at] * value : value) + (w.bias ? w.bias[at] : 0.0F);
    }
}

// One row of activations with rows [begin, end) of the weight, one from each part of the range at
// a time.
template <typename Type, bool kAhead>
void dotRows(const WeightRows& w, const float* x, float* out, Index begin, Index end)
{
    const Index apart = (end - begin) / kSpreadRows;
    for (Index row = begin; row < begin + apart; ++row)
        dotBlock<Type, kSpreadRows, kAhead>(w, row, apart, x, out);
    for (Index row = begin + kSpreadRows * apart; row < end; ++row)
        dotBlock<Type, 1, kAhead>(w, row, 1, x, out);
}

// --- A few rows of activations ------------------------------------------------------------------

// Sums kept in registers: rows of weights by rows of activations.
constexpr int kTileWeights = EP_REGISTERS == 32 ? 4 : 3;
constexpr int kTileInputs = EP_REGISTERS == 32 ? 6 : 4;

template <typename Type, int Weights, int Inputs>
EP_INLINE void dotTile(const WeightRows& w, Index row, Index apart, const float* x, Index xStride,
                       float* out, Index outStride)
{
    const auto* const weights =
        static_cast<const typename Type::Stored*>(w.values) + row * w.columns;
    const Index stride = apart * w.columns;
    constexpr Index kAhead = 1024 / sizeof(typename Type::Stored);
    Vec sums[Weights][Inputs];
    for (int r = 0; r < Weights; ++r) {
        for (int i = 0; i < Inputs; ++i)
            sums[r][i] = Vec{};
    }
    Index c = 0;
    for (; c + kLanes <= w.columns; c += kLanes) {
        Vec wide[Weights];
        for (int r = 0; r < Weights; ++r) {
            __builtin_prefetch(weights + r * stride + c + kAhead);
            wide[r] = Type::load(weights + r * stride + c);
        }
        for (int i = 0; i < Inputs; ++i) {
            const Vec factor = load(x + i * xStride + c);
            for (int r = 0; r < Weights; ++r)
                sums[r][i] += wide[r] * factor;
        }
    }
    constexpr int kSums = Weights * Inputs;
    float totals[(kSums + kLanes - 1) / kLanes * kLanes];
    for (int first = 0; first < kSums; first += kLanes) {
        Vec part[kLanes];
        for (int lane = 0; lane < kLanes; ++lane) {
            const int at = first + lane;
            part[lane] = at < kSums ? sums[at / Inputs][at % Inputs] : Vec{};
        }
        store(totals + first, sumEach(part));
    }
    for (Index rest = c; rest < w.columns; ++rest) {
        for (int at = 0; at < kSums; ++at)
            totals[at] +=
                Type::one(weights[at / Inputs * stride + rest]) * x[at % Inputs * xStride + rest];
    }
    for (int r = 0; r < Weights; ++r) {
        const Index at = row + r * apart;
        const float scale = w.scales ? w.scales[at] : 1.0F;
        const float bias = w.bias ? w.bias[at] : 0.0F;
        for (int i = 0; i < Inputs; ++i)
            out[i * outStride + at] = scale * totals[r * Inputs + i] + bias;
    }
}

// 0 < inputs <= Most
template <typename Type, int Weights, int Most>
EP_INLINE void dotTileOf(Index inputs, const WeightRows& w, Index row, Index apart, const float* x,
                         Index xStride, float* out, Index outStride)
{
    if constexpr (Most > 1) {
        if (inputs < Most)
            return dotTileOf<Type, Weights, Most - 1>(inputs, w, row, apart, x, xStride, out,
                                                      outStride);
    }
    dotTile<Type, Weights, Most>(w, row, apart, x, xStride, out, outStride);
}

// More rows of activations than fit into the registers come in equal parts: a last part of one row
// would take nearly as long as the others. All but the first find the weights in the first cache.
template <typename Type, int Weights>
EP_INLINE void dotTiles(const WeightRows& w, Index row, Index apart, const float* x, Index xStride,
                        Index inputs, float* out, Index outStride)
{
    const Index parts = (inputs + kTileInputs - 1) / kTileInputs;
    for (Index part = 0; part < parts; ++part) {
        const Index first = part * inputs / parts;
        const Index count = (part + 1) * inputs / parts - first;
        dotTileOf<Type, Weights, kTileInputs>(count, w, row, apart, x + first * xStride, xStride,
                                              out + first * outStride, outStride);
    }
}

// Reads weights once for all rows of activations; the rows of a step come from different parts of
// the range.
template <typename Type>
void dotFewRows(const WeightRows& w, const float* x, Index xStride, Index inputs, float* out,
                Index outStride, Index begin, Index end)
{
    const Index apart = (end - begin) / kTileWeights;
    for (Index row = begin; row < begin + apart; ++row)
        dotTiles<Type, kTileWeights>(w, row, apart, x, xStride, inputs, out, outStride);
    for (Index row = begin + kTileWeights * apart; row < end; ++row)
        dotTiles<Type, 1>(w, row, 1, x, xStride, inputs, out, outStride);
}

// --- Dequantization ------------------------------------------------------------------------------

template <typename Type>
void dequantize(const void* in, float* out, Index count)
{
    const auto* const stored = static_cast<const typename Type::Stored*>(in);
    Index i = 0;
    for (; i + kLanes <= count; i += kLanes)
        store(out + i, Type::load(stored + i));
    for (; i < count; ++i)
        out[i] = Type::one(stored[i]);
}

// --- Sums of rows -------------------------------------------------------------------------------

// out[r, :] (+)= sum over t of weights[r, t] * rows[t, :], for `Vectors` vectors of the dimension.
template <int Rows, int Vectors>
EP_INLINE void addWeighted(const float* weights, Index weightsStride, const float* rows,
                           Index rowsStride, Index count, bool first, float* out, Index outStride)
{
    Vec sums[Rows][Vectors];
    for (int r = 0; r < Rows; ++r) {
        for (int v = 0; v < Vectors; ++v)
            sums[r][v] = first ? Vec{} : load(out + r * outStride + v * kLanes);
    }
    for (Index t = 0; t < count; ++t) {
        Vec factors[Rows];
        for (int r = 0; r < Rows; ++r)
            factors[r] = Vec{} + weights[r * weightsStride + t];
        for (int v = 0; v < Vectors; ++v) {
            const Vec value = load(rows + t * rowsStride + v * kLanes);
            for (int r = 0; r < Rows; ++r)
                sums[r][v] += value * factors[r];
        }
    }
    for (int r = 0; r < Rows; ++r) {
        for (int v = 0; v < Vectors; ++v)
            store(out + r * outStride + v * kLanes, sums[r][v]);
    }
}

template <int Rows>
EP_INLINE void addWeightedRows(const float* weights, Index weightsStride, const float* rows,
                               Index count, Index dimension, bool first, float* out,
                               Index outStride)
{
    Index d = 0;
    for (; d + 4 * kLanes <= dimension; d += 4 * kLanes)
        addWeighted<Rows, 4>(weights, weightsStride, rows + d, dimension, count, first, out + d,
                             outStride);
    for (; d + kLanes <= dimension; d += kLanes)
        addWeighted<Rows, 1>(weights, weightsStride, rows + d, dimension, count, first, out + d,
                             outStride);
    for (; d < dimension; ++d) {
        for (int r = 0; r < Rows; ++r) {
            float total = first ? 0.0F : out[r * outStride + d];
            for (Index t = 0; t < count; ++t)
                total += weights[r * weightsStride + t] * rows[t * dimension + d];
            out[r * outStride + d] = total;
        }
    }
}

// Sums `count` rows from memory, weighted by one row of weights. Alternates between four parts of
// them, since a single stream does not reach the memory's bandwidth.
template <int Vectors>
EP_INLINE void weightedSum(const float* weights, const float* rows, Index stride, Index count,
                           float* out)
{
    constexpr Index kStreams = 4;
    const Index part = count / kStreams;
    Vec sums[Vectors];
    for (int v = 0; v < Vectors; ++v)
        sums[v] = Vec{};
    const auto add = [&](Index t) {
        for (int v = 0; v < Vectors; ++v)
            sums[v] += load(rows + t * stride + v * kLanes) * weights[t];
    };
    for (Index t = 0; t < part; ++t) {
        for (Index stream = 0; stream < kStreams; ++stream)
            add(stream * part + t);
    }
    for (Index t = kStreams * part; t < count; ++t)
        add(t);
    for (int v = 0; v < Vectors; ++v)
        store(out + v * kLanes, sums[v]);
}

void weightedSumOfOne(const float* weights, const float* rows, Index count, Index dimension,
                      float* out)
{
    Index d = 0;
    for (; d + 8 * kLanes <= dimension; d += 8 * kLanes)
        weightedSum<8>(weights, rows + d, dimension, count, out + d);
    for (; d + 4 * kLanes <= dimension; d += 4 * kLanes)
        weightedSum<4>(weights, rows + d, dimension, count, out + d);
    for (; d + kLanes <= dimension; d += kLanes)
        weightedSum<1>(weights, rows + d, dimension, count, out + d);
    for (; d < dimension; ++d) {
        float total = 0.0F;
        for (Index t = 0; t < count; ++t)
            total += weights[t] * rows[t * dimension + d];
        out[d] = total;
    }
}

// When several rows of weights sum the same rows, all but the first read them from the L1 cache.
void weightedSums(const float* weights, Index weightsStride, Index outputs, const float* rows,
                  Index count, Index dimension, float* out, Index outStride)
{
    constexpr int kAtOnce = EP_REGISTERS == 32 ? 6 : 3;
    constexpr Index kBlock = 64;
    if (outputs == 1)
        return weightedSumOfOne(weights, rows, count, dimension, out);
    for (Index t = 0; t < count; t += kBlock) {
        const Index part = count - t < kBlock ? count - t : kBlock;
        const float* const values = rows + t * dimension;
        Index o = 0;
        for (; o + kAtOnce <= outputs; o += kAtOnce)
            addWeightedRows<kAtOnce>(weights + o * weightsStride + t, weightsStride, values, part,
                                     dimension, t == 0, out + o * outStride, outStride);
        for (; o < outputs; ++o)
            addWeightedRows<1>(weights + o * weightsStride + t, weightsStride, values, part,
                               dimension, t == 0, out + o * outStride, outStride);
    }
}

} // namespace
} // namespace ep::model
