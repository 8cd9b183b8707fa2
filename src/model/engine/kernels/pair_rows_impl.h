// SPDX-License-Identifier: GPL-3.0-or-later
// GEMV: multiplies one row of activations by bf16 weights with the instructions of pairs_impl.h,
// which take the weights as stored. Each activation becomes the sum of two bf16 numbers, the second
// being the rounding error of the first, so at most 2^-16 of it is lost. Multiplying the weights
// twice takes less time than reading them.
#pragma once

#include "matmul_impl.h"
#include "pairs_impl.h"

#if defined(EP_PLAIN_PAIRS) || defined(EP_PLAIN_TILES) || defined(__AVX512BF16__)                  \
    || defined(__ARM_FEATURE_BF16_VECTOR_ARITHMETIC)

namespace ep::model {
namespace {

constexpr Index kPairColumns = 2 * kLanes; // per vector

// Writes pairs in column order, zero beyond the last column: the first numbers of all columns, then
// the second ones.
void roundRowTwice(const float* x, Index columns, float* rounded)
{
    const Index vectors = (columns + kPairColumns - 1) / kPairColumns;
    for (Index i = 0; i < vectors; ++i) {
        const Index begin = i * kPairColumns;
        const Index count = columns - begin < kPairColumns ? columns - begin : kPairColumns;
        float part[kPairColumns] = {};
        __builtin_memcpy(part, x + begin, static_cast<std::size_t>(count) * sizeof *x);
        const VecPair exact = TypeBF16::arrange(part);
        const VecU first[] = {bf16Bits(exact.first), bf16Bits(exact.second)};
        const auto rest = [](Vec value, VecU bits) {
            const Vec left = value - __builtin_bit_cast(Vec, bits << 16);
            return bf16Bits(select(left == left, left, Vec{})); // infinities have no remainder
        };
        const VecU pairs = pairUp(first[0], first[1]);
        const VecU rests = pairUp(rest(exact.first, first[0]), rest(exact.second, first[1]));
        __builtin_memcpy(rounded + i * kLanes, &pairs, sizeof pairs);
        __builtin_memcpy(rounded + (vectors + i) * kLanes, &rests, sizeof rests);
    }
}

// out[r * apart] for 0 <= r < Rows.
template <int Rows>
EP_INLINE void dotPairs(const WeightRows& w, Index row, Index apart, const float* rounded,
                        float* out)
{
    constexpr Index kAhead = 1024 / sizeof(std::uint16_t);
    const Index vectors = (w.columns + kPairColumns - 1) / kPairColumns;
    const Index whole = w.columns / kPairColumns;
    const auto* const weights = static_cast<const std::uint16_t*>(w.values) + row * w.columns;
    const Index stride = apart * w.columns;
    Vec sums[Rows][2];
    for (int r = 0; r < Rows; ++r)
        sums[r][0] = sums[r][1] = Vec{};
    const auto add = [&](int r, Index i, VecU pairs) {
        sums[r][0] = Bf16Pairs::plus(sums[r][0], loadPairs(rounded + i * kLanes), pairs);
        sums[r][1] =
            Bf16Pairs::plus(sums[r][1], loadPairs(rounded + (vectors + i) * kLanes), pairs);
    };
    for (Index i = 0; i < whole; ++i) {
        for (int r = 0; r < Rows; ++r) {
            const std::uint16_t* const place = weights + r * stride + i * kPairColumns;
            __builtin_prefetch(place + kAhead);
            VecU pairs;
            __builtin_memcpy(&pairs, place, sizeof pairs);
            add(r, i, pairs);
        }
    }
    const auto left = static_cast<std::size_t>(w.columns - whole * kPairColumns);
    for (int r = 0; r < Rows; ++r) {
        if (left > 0) {
            VecU pairs = {};
            __builtin_memcpy(&pairs, weights + r * stride + whole * kPairColumns,
                             left * sizeof *weights);
            add(r, whole, pairs);
        }
        const Index at = row + r * apart;
        out[at] = sum(sums[r][0] + sums[r][1]) + (w.bias ? w.bias[at] : 0.0F);
    }
}

// Rows [begin, end) of the weight, four at a time, one from each quarter of the range.
void dotPairRows(const WeightRows& w, const float* rounded, float* out, Index begin, Index end)
{
    constexpr int kRows = 4;
    const Index apart = (end - begin) / kRows;
    for (Index row = begin; row < begin + apart; ++row)
        dotPairs<kRows>(w, row, apart, rounded, out);
    for (Index row = begin + kRows * apart; row < end; ++row)
        dotPairs<1>(w, row, 1, rounded, out);
}

} // namespace
} // namespace ep::model

#endif
