// SPDX-License-Identifier: GPL-3.0-or-later
// Products with rows of weights, and widening of weights.
#pragma once

#include "simd.h"

namespace ep::model {
namespace {

// Number of values of the next rows to prefetch while the last ones of the current rows are
// multiplied. Each row is a new stream for the hardware prefetcher, and narrow rows end before it
// is detected: without prefetching all of them, they are read at half the memory bandwidth. For
// f32 the beginnings suffice; prefetching more slows down long rows, prefetching none costs 3 % on
// rows of 768 and a quarter on keys.
template <typename Type>
EP_INLINE Index askedAhead(Index columns)
{
    constexpr Index kBeginning = 128;
    return sizeof(typename Type::Stored) < 4 || columns < kBeginning ? columns : kBeginning;
}

// Prefetches the cache lines of two vectors; for some types these are half a line, which starts at
// even positions.
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

// Adds the products of columns [begin, end) to the sums, as long as whole steps fit; returns where
// it stopped. next: null, or the data to prefetch alongside.
template <typename Type, int Rows>
EP_INLINE Index addProducts(const typename Type::Stored* weights, Index columns, const float* x,
                            Index begin, Index end, const typename Type::Stored* next,
                            Vec (&sums)[Rows][kUnroll])
{
    Index c = begin;
    for (; c + kUnroll * kLanes <= end; c += kUnroll * kLanes) {
        for (int u = 0; u < kUnroll; u += 2) {
            const VecPair factors = Type::arrange(x + c + u * kLanes);
            for (int r = 0; r < Rows; ++r) {
                const Index place = r * columns + c + u * kLanes;
                if (next)
                    ask<Type>(next + place - begin, u * kLanes);
                const VecPair wide = Type::loadPair(weights + place);
                sums[r][u] += wide.first * factors.first;
                sums[r][u + 1] += wide.second * factors.second;
            }
        }
    }
    return c;
}

template <typename Type, int Rows>
EP_INLINE void dotBlock(const typename Type::Stored* weights, const float* scales, Index columns,
                        const float* x, const float* bias, float* out)
{
    Vec sums[Rows][kUnroll];
    for (int r = 0; r < Rows; ++r) {
        for (int u = 0; u < kUnroll; ++u)
            sums[r][u] = Vec{};
    }
    Index c = addProducts<Type, Rows>(weights, columns, x, 0, columns - askedAhead<Type>(columns),
                                      nullptr, sums);
    c = addProducts<Type, Rows>(weights, columns, x, c, columns, weights + Rows * columns, sums);
    for (; c + kLanes <= columns; c += kLanes) {
        const Vec factor = load(x + c);
        for (int r = 0; r < Rows; ++r)
            sums[r][0] += Type::load(weights + r * columns + c) * factor;
    }
    for (int r = 0; r < Rows; ++r) {
        Vec total = sums[r][0];
        for (int u = 1; u < kUnroll; ++u)
            total += sums[r][u];
        float value = sum(total);
        for (Index rest = c; rest < columns; ++rest)
            value += Type::one(weights[r * columns + rest]) * x[rest];
        out[r] = (scales ? scales[r] * value : value) + (bias ? bias[r] : 0.0F);
    }
}

template <typename Type>
EP_INLINE void scaledDotRows(const typename Type::Stored* weights, const float* scales,
                             Index columns, const float* x, const float* bias, float* out,
                             Index begin, Index end)
{
    Index row = begin;
    for (; row + 4 <= end; row += 4) {
        dotBlock<Type, 4>(weights + row * columns, scales ? scales + row : nullptr, columns, x,
                          bias ? bias + row : nullptr, out + row);
    }
    for (; row < end; ++row) {
        dotBlock<Type, 1>(weights + row * columns, scales ? scales + row : nullptr, columns, x,
                          bias ? bias + row : nullptr, out + row);
    }
}

template <typename Type>
void dotRows(const typename Type::Stored* weights, Index columns, const float* x, const float* bias,
             float* out, Index begin, Index end)
{
    scaledDotRows<Type>(weights, nullptr, columns, x, bias, out, begin, end);
}

void dotRowsI8(const std::int8_t* weights, const float* scales, Index columns, const float* x,
               const float* bias, float* out, Index begin, Index end)
{
    scaledDotRows<TypeI8>(weights, scales, columns, x, bias, out, begin, end);
}

void widenI8(const std::int8_t* in, float scale, float* out, Index count)
{
    Index i = 0;
    for (; i + kLanes <= count; i += kLanes)
        store(out + i, TypeI8::load(in + i) * scale);
    for (; i < count; ++i)
        out[i] = TypeI8::one(in[i]) * scale;
}

template <typename Type>
void widen(const std::uint16_t* in, float* out, Index count)
{
    Index i = 0;
    for (; i + kLanes <= count; i += kLanes)
        store(out + i, Type::load(in + i));
    for (; i < count; ++i)
        out[i] = Type::one(in[i]);
}

void weightedSum(const float* weights, const float* rows, Index count, Index dimension, float* out)
{
    constexpr int kBlock = 4;
    Index d = 0;
    for (; d + kBlock * kLanes <= dimension; d += kBlock * kLanes) {
        Vec sums[kBlock] = {};
        for (Index t = 0; t < count; ++t) {
            for (int b = 0; b < kBlock; ++b)
                sums[b] += load(rows + t * dimension + d + b * kLanes) * weights[t];
        }
        for (int b = 0; b < kBlock; ++b)
            store(out + d + b * kLanes, sums[b]);
    }
    for (; d + kLanes <= dimension; d += kLanes) {
        Vec total = {};
        for (Index t = 0; t < count; ++t)
            total += load(rows + t * dimension + d) * weights[t];
        store(out + d, total);
    }
    for (; d < dimension; ++d) {
        float total = 0.0F;
        for (Index t = 0; t < count; ++t)
            total += weights[t] * rows[t * dimension + d];
        out[d] = total;
    }
}

} // namespace
} // namespace ep::model
